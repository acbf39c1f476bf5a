// Globs of a tenant on names of a tenant: a match can take long, and must not block the event loop.
import { serveRequests } from '../../infra/worker-thread/serve-requests.mjs'
import type { Push } from './push-event.policy.ts'
import { decidePush, type PushDecision, type PushRules } from './push-rules.policy.ts'

serveRequests(({ pushes, ...rules }: PushRules & { pushes: readonly [Push, ...Push[]] }): { answer: PushDecision } => ({
  answer: decidePush(rules, pushes)
}))
