import { type Command, groups } from './command.ts'

const perGroup = 8

/** 3: it begins with the text, 2: one of its words does, 1: it holds it, 0: it does not. */
export function fitOf(name: string, text: string): number {
  const [whole, wanted] = [name.toLowerCase(), text.toLowerCase()]
  if (whole.startsWith(wanted)) return 3
  const at = whole.indexOf(wanted)
  if (at === -1) return 0
  // A later place may be the start of a word.
  for (let place = at; place !== -1; place = whole.indexOf(wanted, place + 1))
    if (!/[\p{L}\p{N}]/u.test(whole[place - 1]!)) return 2
  return 1
}

/** Of what is written on it: the name, and with less weight its hint. */
const fit = ({ label, hint = '' }: Command, text: string) =>
  Math.max(fitOf(label, text), fitOf(hint, text) > 0 ? 0.5 : 0)

/** What fits, group by group: the one with the best of all first, and in each the best first. */
export function rank(commands: readonly Command[], text: string): Command[] {
  const wanted = text.trim()
  const fitting = commands
    .map((command) => ({ command, fit: wanted === '' ? 1 : fit(command, wanted) }))
    .filter((each) => each.fit > 0)
  return groups
    .map((group) =>
      fitting
        .filter(({ command }) => command.group === group)
        .toSorted((a, b) => b.fit - a.fit)
        .slice(0, wanted === '' ? Infinity : perGroup)
    )
    .toSorted((a, b) => (b[0]?.fit ?? 0) - (a[0]?.fit ?? 0))
    .flatMap((group) => group.map(({ command }) => command))
}
