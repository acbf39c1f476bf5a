import type { Dependencies } from '../dependencies.ts'
import { createSendingDecision } from '../features/mail-limits/mail-limits.service.ts'
import { mailPaths } from '../infra/mail-server/mail-paths.ts'
import { serveSendingPolicy } from '../infra/mail-server/sending-policy-server.ts'
import { run } from '../infra/process/run.ts'
import { messageOf } from '../message-of.ts'
import { mailDirectories } from '../paths.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'logger' | 'now'>

/** Answers Postfix whether a mailbox may send, as long as the panel runs. Without it, Postfix's own limits for each address hold. */
export async function startSendingLimits(deps: Deps): Promise<{ close(): Promise<void> }> {
  if (!deps.config.MAIL || process.getuid?.() !== 0) return { close: async () => {} }
  const onError = (error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'limits of mail')
  try {
    const { postfix } = mailPaths(await mailDirectories(deps.config))
    return await serveSendingPolicy(postfix.limits, { decide: createSendingDecision(deps), onError, run })
  } catch (error) {
    onError(error)
    return { close: async () => {} }
  }
}
