"""`make figures`: performance, each figure beside what it is compared with, measured in one run on one machine."""

from collections.abc import Sequence

from host_tools.figures import evaluators, journal, rounds, running_table


def main() -> None:
    print("7-card evaluations a second, each library doing its own on the same hands (aim: ahead of all pure Python)")
    compare(evaluators.measure())
    print("\nrounds a second: six seats with every wager settled, beside pokerkit's full hands (aim: 20 times)")
    compare(rounds.measure())
    print("\njournal commits a second, synchronous=FULL, beside bare sqlite3 with the same rows (aim: 0.8)")
    commits = journal.measure()
    print(f"  feltlock       {commits['journal_commits_per_second']:>12,.0f}")
    print(
        f"  bare sqlite3   {commits['bare_commits_per_second']:>12,.0f}   ours is {commits['share_of_bare']:.2f} of it"
    )
    table = running_table.measure()
    print("\nsimulated edge to lamp, through debounce and journal commit")
    print(f"  {table.edge_to_lamp_ms:.2f} ms, of which {table.settle_ms:.0f} ms are the debounce's settle window")
    print("\nmemory of the running controller (aim: under 60 MB)")
    print(f"  {table.memory_mb:.1f} MB; a bare Python takes {table.bare_python_mb:.1f} MB")


def compare(measured: Sequence[tuple[str, str, float]]) -> None:
    ours = measured[0][2]
    for name, kind, rate in measured:
        ratio = "" if rate == ours else f"   ours is {ours / rate:.2f} times that"
        print(f"  {name:<14} {rate:>12,.0f}   {kind}{ratio}")


if __name__ == "__main__":
    main()
