import picomatch from 'picomatch'
import type { DeployRules } from '@panel/contract/projects'
import type { Push } from './push-event.policy.ts'

export interface PushRules {
  rules: DeployRules
  /** The project's branch. */
  branch: string
}

export type PushDecision = { kind: 'deploy'; push: Push } | { kind: 'ignored'; reason: string }

const mismatch = 'Branch mismatch'
const skipMarker = /\[(?:skip ci|ci skip|skip deploy|deploy skip)\]/i

/** The first push that the rules let through, or why there is none. */
export function decidePush({ rules, branch }: PushRules, pushes: readonly Push[]): PushDecision {
  const reasons = pushes.map((push) => reasonToIgnore(rules, branch, push))
  const index = reasons.indexOf(undefined)
  if (index >= 0) return { kind: 'deploy', push: pushes[index]! }
  return { kind: 'ignored', reason: reasons.find((reason) => reason !== mismatch) ?? mismatch }
}

/** Patterns come from tenants and can be slow, so such rules are evaluated in a thread with a time limit. */
export const hasPatterns = ({ tagPattern, watchPaths }: DeployRules): boolean =>
  tagPattern !== null || watchPaths.length > 0

function reasonToIgnore(rules: DeployRules, branch: string, { ref, commitMsg, files }: Push): string | undefined {
  const isTag = ref.kind === 'tag'
  if (isTag && rules.tagPattern === null) return mismatch
  if (isTag && !matches([rules.tagPattern!], [ref.name])) return 'The tag does not match the pattern'
  if (!isTag && (ref.name !== branch || !rules.branch)) return mismatch
  if (!rules.automatic) return 'Automatic deployment is off'
  const marker = rules.skipMarkers ? skipMarker.exec(commitMsg ?? '')?.[0] : undefined
  if (marker !== undefined) return `The commit message contains ${marker.toLowerCase()}`
  // A tag names a release: what changed since another commit does not matter.
  if (isTag || files === null || rules.watchPaths.length === 0) return undefined
  return matches(rules.watchPaths, files) ? undefined : 'No watched path changed'
}

/** Patterns that start with `!` exclude; with only such patterns, everything else matches. */
function matches(patterns: readonly string[], names: readonly string[]): boolean {
  const included = patterns.filter((pattern) => !pattern.startsWith('!'))
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const options = { dot: true, nonegate: true, noextglob: true, ignore }
  const isMatch = picomatch(included.length === 0 ? '**' : included, options)
  return names.some((name) => isMatch(name))
}
