import picomatch from 'picomatch'
import type { DeployRules } from '@panel/contract/deploy-rules'
import { deliveryReason } from './delivery-reason.policy.ts'
import type { Push } from './push-event.policy.ts'

export interface PushRules {
  rules: DeployRules
  /** The project's branch. */
  branch: string
}

export type PushDecision = { kind: 'deploy'; push: Push } | { kind: 'ignored'; push: Push; reason: string }

const mismatch = deliveryReason('BRANCH_MISMATCH')
const skipMarker = /\[(?:skip ci|ci skip|skip deploy|deploy skip)\]/i

/** The first push that the rules let through; otherwise the one that concerns the project most, with the reason. */
export function decidePush({ rules, branch }: PushRules, pushes: readonly [Push, ...Push[]]): PushDecision {
  let ignored: PushDecision | undefined
  for (const push of pushes) {
    const reason = reasonToIgnore(rules, branch, push)
    if (reason === undefined) return { kind: 'deploy', push }
    if (ignored === undefined || (ignored.kind === 'ignored' && ignored.reason === mismatch))
      ignored = { kind: 'ignored', push, reason }
  }
  return ignored!
}

/** Patterns come from tenants and can be slow, so such rules are evaluated in a thread with a time limit. */
export const hasPatterns = ({ tagPattern, watchPaths }: DeployRules): boolean =>
  tagPattern !== null || watchPaths.length > 0

function reasonToIgnore(rules: DeployRules, branch: string, { ref, commitMsg, files }: Push): string | undefined {
  const isTag = ref.kind === 'tag'
  if (isTag && rules.tagPattern === null) return mismatch
  if (isTag && !matches([rules.tagPattern!], [ref.name])) return deliveryReason('TAG_MISMATCH')
  if (!isTag && (ref.name !== branch || !rules.branch)) return mismatch
  if (!rules.automatic) return deliveryReason('AUTOMATIC_OFF')
  const marker = rules.skipMarkers ? skipMarker.exec(commitMsg ?? '')?.[0] : undefined
  if (marker !== undefined) return deliveryReason('SKIP_MARKER', { marker: marker.toLowerCase() })
  // A tag names a release: what changed since another commit does not matter.
  if (isTag || files === null || rules.watchPaths.length === 0) return undefined
  return matches(rules.watchPaths, files) ? undefined : deliveryReason('NO_WATCHED_PATH')
}

/** Patterns that start with `!` exclude; with only such patterns, everything else matches. */
function matches(patterns: readonly string[], names: readonly string[]): boolean {
  const included = patterns.filter((pattern) => !pattern.startsWith('!'))
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const options = { dot: true, nonegate: true, noextglob: true, ignore }
  const isMatch = picomatch(included.length === 0 ? '**' : included, options)
  return names.some((name) => isMatch(name))
}
