import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { AppError } from '../../errors.ts'
import { threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { deliveryReason } from './delivery-reason.policy.ts'
import type { Push } from './push-event.policy.ts'
import { decidePush, hasPatterns, type PushDecision, type PushRules } from './push-rules.policy.ts'

const patterns = createThreadPool<PushRules & { pushes: readonly [Push, ...Push[]] }, PushDecision>(
  threadScript('./push-rules.worker', import.meta.url),
  { what: 'deployment rules', answerWithinMs: 5_000, maxMemoryMb: 128 }
)

/** `key`: the account; waits its turn if other deliveries of the account are being evaluated. */
export async function evaluatePushRules(
  key: string,
  rules: PushRules,
  pushes: readonly [Push, ...Push[]]
): Promise<PushDecision> {
  if (!hasPatterns(rules.rules)) return decidePush(rules, pushes)
  return patterns.run(key, { ...rules, pushes }).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', deliveryReason('RULES_TOO_SLOW'), { cause })
      : cause
  })
}
