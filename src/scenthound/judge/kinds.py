from pathlib import Path

from scenthound.config import CriticSettings
from scenthound.judge.base import Critic, Learner
from scenthound.judge.bayes import BayesCritic, BayesLearner


def learner_of(settings: CriticSettings) -> Learner:
    return BayesLearner()


def load_critic(folder: Path) -> Critic:
    return BayesCritic.load(folder)
