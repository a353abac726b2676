"""scikit-learn's classifiers as recipes: a name and parameters for JSON, from which a classifier is made and fitted.

The model file holds a recipe instead of a pickle. A recipe can name only classes that scikit-learn itself lists.
"""

import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import all_estimators, get_tags

from scenthound.errors import SettingError

Floats = NDArray[np.float64]
Estimator = str | Any  # the name of a class, or a classifier object; scikit-learn has no type for the latter

_LEAST: Final = 1e-3  # replaces the probability 0, which forests and neighbours often return


def classifier_names() -> tuple[str, ...]:
    """Return the names of all scikit-learn classifiers that return more than a bare class."""
    found = all_estimators(type_filter="classifier")
    return tuple(name for name, kind in found if hasattr(kind, "predict_proba") or hasattr(kind, "decision_function"))


def recipe_of(estimator: Estimator) -> dict[str, Any]:
    """Return the recipe of a classifier; raise an error if JSON cannot hold it.

    >>> from sklearn.linear_model import SGDClassifier
    >>> recipe_of(SGDClassifier(alpha=0.01))["parameters"]["alpha"]
    0.01
    >>> recipe_of("GaussianNB")
    {'estimator': 'GaussianNB', 'parameters': {}}
    """
    if isinstance(estimator, str):
        recipe: dict[str, Any] = {"estimator": estimator, "parameters": {}}
        _made(recipe)
        return recipe
    written: dict[str, Any] = _written(estimator, type(estimator).__name__)
    return written


def _written(value: Any, where: str) -> Any:
    """Convert a parameter for JSON."""
    if isinstance(value, BaseEstimator):
        name = type(value).__name__
        if _kinds().get(name) is not type(value):
            raise SettingError(
                f"{where}: {name} is not a class of scikit-learn, so a critic with it could not be saved"
            )
        parameters = value.get_params(deep=False).items()
        return {"estimator": name, "parameters": {key: _written(part, f"{where}.{key}") for key, part in parameters}}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_written(part, where) for part in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"table": {key: _written(part, f"{where}.{key}") for key, part in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise SettingError(
        f"{where} = {value!r} cannot be saved; give a number, a text, a list or a scikit-learn estimator"
    )


@cache  # it walks through all of scikit-learn: 0.3 s
def _kinds() -> Mapping[str, Any]:
    return dict(all_estimators())


def _made(recipe: Any) -> Any:
    """Undo `_written`."""
    if isinstance(recipe, list):
        return [_made(part) for part in recipe]
    if not isinstance(recipe, dict):
        return recipe
    if "table" in recipe:
        return {key: _made(part) for key, part in recipe["table"].items()}
    name, parameters = recipe["estimator"], {key: _made(part) for key, part in recipe["parameters"].items()}
    kind = _kinds().get(name)
    if kind is None:
        raise SettingError(f"scikit-learn has no classifier {name}")
    if isinstance(parameters.get("memory"), str):  # a folder of pickles, which would run code when read
        raise SettingError(f"{name} with a cache in {parameters['memory']} is not loaded; make it without memory")
    try:
        return kind(**parameters)
    except TypeError as error:
        raise SettingError(
            f"{name} cannot be made from its name alone ({error}); use another, or give an object"
        ) from error


def takes_sparse(recipe: Mapping[str, Any]) -> bool:
    return bool(get_tags(_made(recipe)).input_tags.sparse)


def fitted(recipe: Mapping[str, Any], rows: csr_array, labels: NDArray[np.int64], seed: int) -> Any:
    """Make a classifier and train it; all randomness follows from the seed."""
    model = _made(recipe)
    open_seeds = [key for key, value in model.get_params().items() if key.endswith("random_state") and value is None]
    model.set_params(**dict.fromkeys(open_seeds, seed))
    try:
        with warnings.catch_warnings():
            # An unfinished fit still judges, and the quality report shows how well.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(_suited(model, rows), labels)
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SettingError(
            f"{recipe['estimator']} cannot learn these examples ({reason}); use another critic"
        ) from error
    return model


def scores(model: Any, rows: csr_array) -> Floats:
    """Return log probabilities or distances, pages × classes, greater for a likelier class."""
    suited = _suited(model, rows)
    if hasattr(model, "predict_proba"):
        said = np.nan_to_num(np.asarray(model.predict_proba(suited), dtype=np.float64))
        return np.log(np.maximum(said, _LEAST))
    if not hasattr(model, "decision_function"):
        raise SettingError(f"{type(model).__name__} gives neither probabilities nor distances; use another critic")
    distances = np.asarray(model.decision_function(suited), dtype=np.float64)
    return distances if distances.ndim == 2 else np.stack((-distances, distances), axis=1)


def _suited(model: Any, rows: csr_array) -> Any:
    return rows if get_tags(model).input_tags.sparse else rows.toarray()
