# SPDX-License-Identifier: Apache-2.0
"""Rates and intervals against values worked out by hand or taken from tables."""

from __future__ import annotations

import unittest

try:
    import numpy as np
    from liveness.metrics import RULES, aggregate, auc, clopper_pearson, equal_error, probability
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


class AreaTest(unittest.TestCase):
    def test_separated_scores_have_area_one(self) -> None:
        self.assertEqual(auc(np.array([2.0, 3.0]), np.array([0.0, 1.0])), 1.0)

    def test_ties_count_half(self) -> None:
        self.assertEqual(auc(np.array([1.0]), np.array([1.0, 1.0])), 0.5)

    def test_one_inversion_in_four(self) -> None:
        self.assertEqual(auc(np.array([1.0, 3.0]), np.array([0.0, 2.0])), 0.75)

    def test_equal_error_of_one_swapped_pair(self) -> None:
        rate, threshold = equal_error(np.array([0.1, 0.6, 0.7, 0.8]), np.array([0.0, 0.2, 0.3, 0.65]))
        self.assertAlmostEqual(rate, 0.25)
        self.assertEqual(threshold, 0.6)


class IntervalTest(unittest.TestCase):
    def test_none_of_nine(self) -> None:
        low, high = clopper_pearson(0, 9)
        self.assertEqual(low, 0.0)
        self.assertAlmostEqual(high, 1 - 0.025 ** (1 / 9), places=9)

    def test_all_of_nine_mirrors_none(self) -> None:
        low, high = clopper_pearson(9, 9)
        self.assertAlmostEqual(low, 0.025 ** (1 / 9), places=9)
        self.assertEqual(high, 1.0)

    def test_textbook_value(self) -> None:
        low, high = clopper_pearson(4, 20)
        self.assertAlmostEqual(low, 0.0573, places=4)
        self.assertAlmostEqual(high, 0.4366, places=4)

    def test_nothing_measured_says_nothing(self) -> None:
        self.assertEqual(clopper_pearson(0, 0), (0.0, 1.0))


class AggregateTest(unittest.TestCase):
    def test_equal_frames_give_their_probability_under_every_rule(self) -> None:
        for rule in RULES:
            with self.subTest(rule=rule):
                self.assertAlmostEqual(aggregate(np.full(5, 1.5), rule), float(probability(np.array(1.5))))

    def test_logit_rule_clips_a_single_wild_frame(self) -> None:
        self.assertAlmostEqual(aggregate(np.array([-100.0, 6.0]), "mean-logit"), 0.5)

    def test_unknown_rule_is_an_error(self) -> None:
        with self.assertRaises(ValueError):
            aggregate(np.zeros(1), "best")
