# SPDX-License-Identifier: Apache-2.0
"""The operating point on made-up scores."""

from __future__ import annotations

import unittest

try:
    import numpy as np
    from liveness.choose import operating_point
except ImportError as error:
    raise unittest.SkipTest(str(error)) from error


class OperatingPointTest(unittest.TestCase):
    def test_one_in_twenty_may_be_refused(self) -> None:
        live = np.concatenate([[0.2, 0.6], np.full(18, 0.9)])
        self.assertAlmostEqual(operating_point(live, 0.05), 0.4)

    def test_with_few_sessions_none_is_refused(self) -> None:
        self.assertAlmostEqual(operating_point(np.array([0.8, 0.9]), 0.05), 0.4)
