# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A GPU kernel on the simulator
#
# This notebook shows how a GPU kernel spends its time when it waits for memory, and how four
# kernels for one problem improve on one another. It needs no GPU: the kernels run on carrywave's
# simulator, which records each access to memory, and a *memory machine* computes the cost of the
# accesses.
#
# The notebook is also a script. These commands run it, make a notebook of it, and run that
# notebook:
#
#     python examples/python/kernel_on_the_simulator.py
#     jupytext --to ipynb examples/python/kernel_on_the_simulator.py
#     jupytext --to ipynb --execute examples/python/kernel_on_the_simulator.py
#
# It needs `matplotlib` and `pandas`.

# %%
import matplotlib.pyplot as plt
import pandas as pd

import carrywave
import carrywave.machine as machine

# %% [markdown]
# ## The machine
#
# A memory machine has memory in `w` banks: word *a* is in bank *a* mod *w*. The threads of a kernel
# are in warps of *w* threads, and a warp requests its words together. The unit that the memory
# serves at once is a *stage*:
#
# - the **discrete memory machine** (DMM) serves one word of each bank, at any address, as the
#   shared memory of a GPU does;
# - the **unified memory machine** (UMM) serves *w* neighbouring words, as global memory does.
#
# In each *time unit* one stage enters the memory's pipeline, and its words arrive *l* time units
# later. The machines are K. Nakano's (2012).
#
# The simplest kernel reads *n* words with *p* threads; neighbouring threads read neighbouring
# words. A report has a row for each line of the kernel's source that accesses memory, and its
# totals are attributes.

# %%
read = machine.report("contiguous", n=1024, p=256, width=32, latency=100)
print(read.about)
print(read)
print(f"{read.time} time units; by the closed form of lemma 1 they are {read.closed_form}")

# %% [markdown]
# In each turn the 256 threads are 8 warps, whose 8 stages enter one after the other; the words of
# the last stage arrive 100 time units later. Four turns take 4 (8 + 100 - 1) = 428 time units. Most
# of this is waiting, and more threads hide it. `sweep` runs a kernel for many sizes. In the plot, a
# point is a measured count and a line is the closed form.

# %%
swept = machine.sweep("contiguous", "n=4096,p=32,64,128,256,512,1024,2048,4096,l=10,100,400").to_pandas()
figure, axes = plt.subplots()
for latency, points in swept.groupby("l"):
    axes.loglog(points["p"], points["closed_form"], color="0.7")
    axes.loglog(points["p"], points["time"], "o", label=f"latency {latency}")
axes.axhline(4096 / 32, linestyle=":", color="black", label="n / w: one stage in each time unit")
axes.set(xlabel="threads", ylabel="time units", title="4,096 words, read side by side")
axes.legend()
plt.show()

# %% [markdown]
# ## Conflicts
#
# Suppose that neighbouring threads read distant words: each in the next bank, but in another group
# of *w* neighbours. The DMM is not slower, because each bank has its own address. The UMM serves
# the words one by one: 32 stages for a warp access, and 31 of them are *conflicts*.

# %%
rows = []
for kernel in ("contiguous", "contiguous-bank"):
    for model in ("dmm", "umm"):
        report = machine.report(kernel, n=4096, p=1024, model=model)
        rows.append({"kernel": kernel, "machine": model, "stages": report.stages, "conflicts": report.conflicts, "time": report.time})
conflicts = pd.DataFrame(rows)
print(conflicts)
assert conflicts["conflicts"].tolist() == [0, 0, 0, 31 * 4096 // 32]

# %% [markdown]
# ## Four kernels for one problem
#
# The *best match* of a pattern in a text is the part of the text with the fewest edits from the
# pattern. Sellers' table has a row for each symbol of the pattern and a column for each symbol of
# the text. The cells of a diagonal can be computed at once, with one thread for each cell. Nakano's
# four kernels differ in the position of the cells in memory:
#
# - `dmm` keeps the matrix as it is, so the cells of a diagonal are far apart;
# - `umm` shifts each row, so the cells of a diagonal are neighbours;
# - `umm-3m` keeps only three diagonals;
# - `umm-n` has a thread for each window of the text, and more threads hide the latency.
#
# All four give the same answer.

# %%
pattern, text = b"GATTACAGATTACA", b"CCGATTACCGATTAGAGG" * 4
print(carrywave.best(pattern, text))
for kernel in ("dmm", "umm", "umm-3m", "umm-n"):
    with_kernel = carrywave.best(pattern, text, engine=carrywave.Simt(), algorithm=kernel)
    assert with_kernel == carrywave.best(pattern, text), kernel

# %% [markdown]
# The last three kernels are designed to avoid the conflicts of the UMM. The next cell shows their
# cost there.

# %%
kernels = ["dmm", "umm", "umm-3m", "umm-n"]
reports = {kernel: machine.report(kernel, m=32, n=256, latency=20) for kernel in kernels}
totals = pd.DataFrame(
    {kernel: {name: getattr(report, name) for name in ("accesses", "stages", "conflicts", "time")} for kernel, report in reports.items()}
)
print(totals)

figure, axes = plt.subplots()
stages = totals.loc["stages"] - totals.loc["conflicts"]
axes.bar(kernels, stages, label="stages without conflicts")
axes.bar(kernels, totals.loc["conflicts"], bottom=stages, label="conflicts")
axes.set(ylabel="stages", title="m = 32, n = 256, w = 32")
axes.legend()
plt.show()

# %% [markdown]
# The report shows the source lines that cause the conflicts. In `dmm` the most expensive lines are
# those that read and write cells of the matrix.

# %%
lines = reports["dmm"].to_pandas().sort_values("time", ascending=False)
print(lines[["line", "access", "accesses", "stages", "conflicts", "time"]].head(5).to_string(index=False))
assert lines["time"].sum() == reports["dmm"].time

# %% [markdown]
# ## The terms of the running time
#
# A theorem gives the growth of the time. For `umm-3m` it is *mn/w* stages, and *nl* time units of
# waiting, one turn for each diagonal. `sweep` finds the coefficients of these terms by least
# squares.

# %%
for kernel in kernels:
    fitted = machine.sweep(kernel, "m=32,64,n=128:512:128,l=1,20,100").fit
    terms = " + ".join(f"{value:.1f} {term}" for term, value in zip(fitted["term"], fitted["value"], strict=True))
    print(f"{kernel:8} {terms}   (R² = {fitted.r_squared:.4f})")

# %% [markdown]
# `umm-n` has no term *nl*: each turn works on all windows at once, so the number of turns is the
# length of the pattern, which gives *ml* instead of *nl*. This pays off when the latency is large
# and the text is long compared with the pattern.

# %%
figure, axes = plt.subplots()
for kernel in kernels:
    swept = machine.sweep(kernel, "m=32,n=256,512,l=1,5,20,50,100,200").to_pandas()
    longer = swept[swept["n"] == 512]
    axes.loglog(longer["l"], longer["time"], "o-", label=kernel)
axes.set(xlabel="latency", ylabel="time units", title="m = 32, n = 512, w = 32")
axes.legend()
plt.show()

# %% [markdown]
# The machine models no caches, no registers and no arithmetic, and a GPU has all three. Use it to
# compare access patterns, not to predict seconds. It can run these kernels:

# %%
print(machine.kernels())
