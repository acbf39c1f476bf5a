import { type Command, groups } from './command.ts'

const maxPerGroup = 8

/** 3: starts with the text, 2: a word starts with it, 1: contains it, 0: no match. */
export function matchScore(name: string, text: string): number {
  const [whole, wanted] = [name.toLowerCase(), text.toLowerCase()]
  if (whole.startsWith(wanted)) return 3
  const at = whole.indexOf(wanted)
  if (at === -1) return 0
  for (let place = at; place !== -1; place = whole.indexOf(wanted, place + 1))
    if (!/[\p{L}\p{N}]/u.test(whole[place - 1]!)) return 2
  return 1
}

const commandScore = ({ label, hint = '' }: Command, text: string) =>
  Math.max(matchScore(label, text), matchScore(hint, text) > 0 ? 0.5 : 0)

/** Matches sorted by score within each group; the group with the best match first. */
export function rank(commands: readonly Command[], text: string): Command[] {
  const wanted = text.trim()
  const fitting = commands
    .map((command) => ({ command, fit: wanted === '' ? 1 : commandScore(command, wanted) }))
    .filter((each) => each.fit > 0)
  return groups
    .map((group) =>
      fitting
        .filter(({ command }) => command.group === group)
        .toSorted((a, b) => b.fit - a.fit)
        .slice(0, wanted === '' ? Infinity : maxPerGroup)
    )
    .toSorted((a, b) => (b[0]?.fit ?? 0) - (a[0]?.fit ?? 0))
    .flatMap((group) => group.map(({ command }) => command))
}
