import { BuildError } from './image-builder.ts'

interface Rule {
  segments: readonly Segment[]
  includes: boolean
}

type Segment = typeof anyDepth | string | readonly Token[]

type Token = typeof anyText | ((character: string) => boolean)

interface PathSegment {
  name: string
  characters: string[] | undefined
}

const anyDepth = Symbol('**')
const anyText = Symbol('*')

const maxRules = 1000
const maxRuleLength = 500
const maxDepth = 100

// Comparisons per build. Ordinary pattern lists need less than a hundredth.
const maxSteps = 200_000_000

/**
 * Returns whether .dockerignore patterns exclude a path: the last pattern that matches the path or a parent directory
 * decides. Matching backtracks only to the last wildcard and has a step limit, so patterns cannot block the event loop.
 */
export function createIgnoreMatcher(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length > maxRules) throw new BuildError(`.dockerignore has more than ${maxRules} patterns. Use fewer.`)
  let left = maxSteps
  const spend = () => {
    if (left-- === 0) throw new BuildError('The .dockerignore patterns take too long to match. Use simpler ones.')
  }
  const rules = patterns.flatMap((pattern) => parseRule(pattern, spend))
  const matchesSegment = (pattern: Segment, segment: PathSegment): boolean => {
    if (typeof pattern === 'string') return pattern === segment.name
    segment.characters ??= [...segment.name]
    return typeof pattern !== 'symbol' && matchesSequence(pattern, segment.characters, anyText, matchesCharacter, spend)
  }
  return (path) => {
    const names = path.split('/').filter((name) => name !== '')
    const segments = names.map((name): PathSegment => ({ name, characters: undefined }))
    let ignored = false
    for (const rule of rules) {
      spend()
      if (rule.includes === ignored && matchesSequence(rule.segments, segments, anyDepth, matchesSegment, spend))
        ignored = !rule.includes
    }
    return ignored
  }
}

export const parseDockerignore = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '')

function parseRule(pattern: string, spend: () => void): Rule[] {
  if (pattern.length > maxRuleLength)
    throw new BuildError(`.dockerignore has a pattern of more than ${maxRuleLength} characters. Shorten it.`)
  const includes = pattern.startsWith('!')
  const names: string[] = []
  for (const name of pattern
    .slice(includes ? 1 : 0)
    .trim()
    .split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  if (names.length > maxDepth)
    throw new BuildError(`.dockerignore has a pattern of more than ${maxDepth} directories. Shorten it.`)
  return names.length === 0
    ? []
    : [{ segments: [...names.map((name) => parseSegment(name, spend)), anyDepth], includes }]
}

function parseSegment(name: string, spend: () => void): Segment {
  if (name === '**') return anyDepth
  if (!/[*?[\\]/.test(name)) return name
  return (name.match(/\[\^?\]?[^\]]*\]|\\?./gsu) ?? []).map((token) =>
    token === '*' ? anyText : characterTest(token, spend)
  )
}

const matchesCharacter = (token: Token, character: string): boolean => typeof token !== 'symbol' && token(character)

/** Greedy matching with one kind of wildcard: on a mismatch, only the last wildcard takes one more item. */
function matchesSequence<Pattern, Item>(
  pattern: readonly Pattern[],
  items: readonly Item[],
  wildcard: Pattern,
  matches: (pattern: Pattern, item: Item) => boolean,
  spend: () => void
): boolean {
  let at = 0
  let item = 0
  let wildcardAt = -1
  let wildcardItem = 0
  while (item < items.length) {
    spend()
    if (pattern[at] === wildcard) {
      if (at === pattern.length - 1) return true
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

/** Token kinds: `?`, a class `[…]`, an escaped character `\x`, or a literal character. */
function characterTest(token: string, spend: () => void): (character: string) => boolean {
  if (token === '?') return () => true
  if (token.length > 1 && token.startsWith('\\')) return (character) => token.slice(1) === character
  if (token.length < 3 || !token.startsWith('[')) return (character) => token === character
  const isNegated = token.startsWith('[^')
  const members = [...token.slice(isNegated ? 2 : 1, -1)]
  const ranges: (readonly [string, string])[] = []
  for (let i = 0; i < members.length; i++) {
    const [low, dash, high] = [members[i]!, members[i + 1], members[i + 2]]
    const isRange = dash === '-' && high !== undefined
    ranges.push([low, isRange ? high : low])
    if (isRange) i += 2
  }
  return (character) =>
    ranges.some(([low, high]) => {
      spend()
      return character >= low && character <= high
    }) !== isNegated
}
