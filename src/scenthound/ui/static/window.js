/* What the window does in the browser itself, so that no text is ever run as a script: its policy has no 'unsafe-eval'.

   NiceGUI sends templates, handlers and commands as text and evaluates them. Here, in their place: how its components that
   we use are drawn (Vue's compiler is never asked), the few commands that the server may give, each by name with data, and
   what dragging and keys mean in the tree of topics. It is loaded after nicegui.js and before the page is built. */
"use strict";

{
  const { h, mergeProps, resolveComponent, withKeys } = Vue;

  // -- How components are drawn: what their templates in NiceGUI say (their digests are checked by rendering.py).

  const within = (tag, props) => function () {
    return h(resolveComponent(tag), { ref: "qRef", ...props(this) }, { ...this.$slots });
  };
  const nothing = () => h("div");
  const named = (element, tries = 100) => {  // the editor comes a moment later, and what has the focus in it has no name
    const content = element.querySelector(".cm-content");
    if (content) content.setAttribute("aria-label", element.getAttribute("aria-label") ?? "");
    else if (tries) setTimeout(named, 50, element, tries - 1);
  };
  const draws = {
    "nicegui-codemirror": () => h("div", { onVnodeMounted: ({ el }) => named(el) }),
    "nicegui-echart": nothing,
    "nicegui-link"() {
      return h("a", { href: this.computed_href, target: this.target }, this.$slots.default?.());
    },
    "nicegui-dialog"() {
      return h(resolveComponent("q-dialog"), { onShow: this.addClass, onHide: this.removeClass }, { ...this.$slots });
    },
    "nicegui-expansion"() {
      const content = () => h("div", { class: "nicegui-expansion-content" }, this.$slots.default?.());
      return h(resolveComponent("q-expansion-item"), { ref: "qRef" }, { ...this.$slots, default: content });
    },
    "nicegui-select": within("q-select", (one) => ({
      options: one.filteredOptions,
      onFilter: one.filterFn,
      onPopupShow: one.addClass,
      onPopupHide: one.removeClass,
      onInputValue: one.forwardInputValue,
      "onUpdate:modelValue": one.forwardModelValue,
    })),
    "nicegui-table": within("q-table", (one) => ({ columns: one.convertedColumns, onFullscreen: one.setFullscreenClass })),
    "nicegui-upload": within("q-uploader", (one) => ({ url: one.computed_url })),
    "nicegui-input"() {
      const own = {
        modelValue: this.inputValue,
        "onUpdate:modelValue": (value) => { this.inputValue = value; },
        shadowText: this.shadowText,
        onKeydown: withKeys(this.perform_autocomplete, ["tab"]),
      };
      // As a list: what hangs on the component is given to the field here, and must not be given a second time.
      return [h(resolveComponent("q-input"), mergeProps({ ref: "qRef" }, this.$attrs, own), { ...this.$slots })];
    },
  };

  if (document.currentScript.dataset.draws === "yes") {
    const create = window.createApp;
    window.createApp = (...given) => {
      const app = create(...given);
      const register = app.component.bind(app);
      app.component = (name, made) => {
        // In its place: NiceGUI registers components again and again, and for another object all elements would be made anew.
        if (made && draws[name]) made.render = draws[name];
        return register(name, made);
      };
      return app;
    };
  }

  // -- What the server may have done here. Data comes as JSON and stays data.

  const verbs = {
    focus: ({ id, what }) => setTimeout(() => getHtmlElement(id)?.querySelector(what)?.focus(), 50),
    show: ({ id }) => getHtmlElement(id)?.closest("section")?.scrollIntoView({ block: "nearest" }),
    address: ({ path }) => history.replaceState(history.state, "", path),
    remember: ({ name, value }) => { document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=strict`; },
    copy: ({ text }) => navigator.clipboard?.writeText(text),
  };
  const method = /^return runMethod\((\d+), ("(?:[^"\\]|\\.)*"), (\[.*\])\)$/s;
  const called = async (id, name, given) => {
    // A chart is made a moment after its element; what is drawn before that would be lost.
    for (let tries = 0; tries < 250 && name === "run_chart_method" && getElement(id) && !getElement(id).chart; tries += 1)
      await new Promise((ready) => setTimeout(ready, 20));
    return runMethod(id, name, given);
  };
  const done = async (code, request_id) => {
    const call = method.exec(code);
    const [verb, data] = call ? [] : JSON.parse(code);
    const result = await (call ? called(Number(call[1]), JSON.parse(call[2]), JSON.parse(call[3])) : verbs[verb](data));
    if (request_id) window.socket.emit("javascript_response", { request_id, client_id: window.clientId, result });
  };
  window.runJavascript = (code, request_id) => { done(code, request_id); };  // and the next message does not wait for it

  // -- The tree of topics: what is dragged and dropped, and keys. The menus of each topic do the same.

  const TYPE = "application/x-scenthound";
  const KEYS = ["F2", "Delete", "ArrowLeft", "ArrowRight", "AltArrowLeft", "AltArrowRight"];
  const STEPS = { ArrowUp: -1, ArrowDown: 1 };
  const target = (event) => event.target.closest?.("[data-takes]");
  const mark = (event, on) => {
    const place = target(event);
    if (!place) return;
    event.preventDefault();
    place.classList.toggle("over", on);
  };
  document.addEventListener("dragstart", (event) => {
    const link = event.target.closest?.("[data-link]");
    if (link) {
      event.dataTransfer.effectAllowed = "copyMove";
      event.dataTransfer.setData("text/uri-list", link.dataset.link);
      return;
    }
    const carried = event.target.closest?.("[data-topic]");
    if (!carried) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData(TYPE, JSON.stringify({ topic: carried.dataset.topic, example: carried.dataset.example ?? "" }));
  });
  document.addEventListener("dragover", (event) => mark(event, true));
  document.addEventListener("dragleave", (event) => mark(event, false));
  document.addEventListener("drop", (event) => {
    const place = target(event);
    if (!place) return;
    mark(event, false);
    const [ours, links] = [TYPE, "text/uri-list"].map((type) => event.dataTransfer.getData(type));
    emitEvent("topic_drop", { to: place.dataset.takes, ours, links });
  });
  // The editor's own key for a new line below would come first, were this not heard on the way down.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.closest?.(".editor")) return;
    event.preventDefault();
    event.stopPropagation();
    emitEvent("sql_ask");
  }, true);
  document.addEventListener("keydown", (event) => {
    const head = event.target.closest?.(".node-head[data-topic]");
    const key = (event.altKey ? "Alt" : "") + event.key;
    if (!head) return;
    if (STEPS[key]) {
      event.preventDefault();
      const heads = [...document.querySelectorAll(".node-head[data-topic]")];
      heads[heads.indexOf(head) + STEPS[key]]?.querySelector("[role=checkbox]")?.focus();
    } else if (KEYS.includes(key)) {
      event.preventDefault();
      emitEvent("topic_key", { topic: head.dataset.topic, key });
    }
  });
}
