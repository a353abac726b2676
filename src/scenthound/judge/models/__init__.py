"""The critics that learn: logistic regression, naive Bayes, SVM, scikit-learn's and the user's own.

Each passes the contract suite in tests/judge/contract. Imports: `judge.critic`, `judge.modelfile`, `judge.canonical`,
and what `judge` may import.
"""
