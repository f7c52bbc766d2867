"""Regression: what a change of a design does, learnt from few simulations (Stargazer).

Jia, Shaw, Martonosi: Stargazer: Automated Regression-Based GPU Design Space Exploration,
ISPASS 2012. ``space`` and ``draws`` choose the points to simulate, ``fit`` makes a model of what
came out, ``predict``, ``search``, ``curves``, ``ranking``, ``suggest`` and ``errors`` use it.
"""
