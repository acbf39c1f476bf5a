interface Rule {
  segments: readonly string[]
  includes: boolean
}

const maxRules = 1000

/**
 * Whether a path is left out by the patterns of a .dockerignore: the last pattern that matches the path or a directory above
 * it decides. The matching never backtracks further than the last wildcard, so that no pattern can hold the process up.
 */
export function createIgnoreMatcher(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.slice(0, maxRules).flatMap(parseRule)
  return (path) => {
    const segments = path.split('/').filter((segment) => segment !== '')
    let ignored = false
    for (const rule of rules) {
      if (rule.includes !== ignored) continue
      if (matchesPathOrParent(rule.segments, segments)) ignored = !rule.includes
    }
    return ignored
  }
}

/** The patterns of a .dockerignore file. */
export const parseDockerignore = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '')

function parseRule(pattern: string): Rule[] {
  const includes = pattern.startsWith('!')
  const segments: string[] = []
  for (const segment of pattern
    .slice(includes ? 1 : 0)
    .trim()
    .split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.length === 0 ? [] : [{ segments, includes }]
}

function matchesPathOrParent(pattern: readonly string[], path: readonly string[]): boolean {
  for (let length = path.length; length > 0; length--) {
    if (matchesSequence(pattern, path.slice(0, length), '**', matchesSegment)) return true
  }
  return false
}

const matchesSegment = (pattern: string, segment: string): boolean =>
  matchesSequence(tokens(pattern), [...segment], '*', matchesCharacter)

/** Greedy matching with one kind of wildcard: on a mismatch only the last wildcard takes one more item. */
function matchesSequence(
  pattern: readonly string[],
  items: readonly string[],
  wildcard: string,
  matches: (pattern: string, item: string) => boolean
): boolean {
  let at = 0
  let item = 0
  let wildcardAt = -1
  let wildcardItem = 0
  while (item < items.length) {
    if (pattern[at] === wildcard) {
      wildcardAt = at++
      wildcardItem = item
    } else if (at < pattern.length && matches(pattern[at]!, items[item]!)) {
      at++
      item++
    } else if (wildcardAt >= 0) {
      at = wildcardAt + 1
      item = ++wildcardItem
    } else return false
  }
  while (pattern[at] === wildcard) at++
  return at === pattern.length
}

// A segment's pattern in tokens: `*`, `?`, a class `[…]`, an escaped character `\x`, or a character.
const tokens = (pattern: string): string[] => pattern.match(/\[\^?\]?[^\]]*\]|\\?./gsu) ?? []

function matchesCharacter(token: string, character: string): boolean {
  if (token === '?') return true
  if (token.length > 1 && token.startsWith('\\')) return token.slice(1) === character
  if (token.length < 3 || !token.startsWith('[')) return token === character
  const negated = token.startsWith('[^')
  const members = [...token.slice(negated ? 2 : 1, -1)]
  let found = false
  for (let i = 0; i < members.length; i++) {
    const [low, dash, high] = [members[i]!, members[i + 1], members[i + 2]]
    if (dash === '-' && high !== undefined) {
      found ||= character >= low && character <= high
      i += 2
    } else found ||= character === low
  }
  return found !== negated
}
