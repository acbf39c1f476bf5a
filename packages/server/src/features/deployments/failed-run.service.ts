import type { DeploymentFailure } from '@panel/contract/deployments'
import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import { knownSentences, sentenceText, type Sentence } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import type { DeploymentLog } from './deployment-log.service.ts'
import { type DeploymentRow, moveDeployment } from './deployments.repository.ts'
import { failureMark, failureOf } from './failure.policy.ts'
import { notifyOutcome } from './outcome-notification.service.ts'
import { Superseded } from './release.service.ts'

interface FailedRun {
  error: unknown
  deployment: DeploymentRow
  phase: DeploymentFailure['phase']
  timedOut: boolean
  stopped: boolean
  log: DeploymentLog
}

/** Resolves with the reason, or undefined if the deployment ended elsewhere. */
export async function recordFailure(
  deps: Dependencies,
  { error, deployment, phase, timedOut, stopped, log }: FailedRun
): Promise<string | undefined> {
  const known = error instanceof BuildError || error instanceof EngineError ? error : asAppError(error)
  const sentences: Sentence<FailureCode>[] = timedOut
    ? [{ code: 'TIMED_OUT', values: { seconds: String(deps.config.BUILD_TIMEOUT) } }]
    : stopped
      ? [{ code: 'PANEL_STOPPED' }]
      : known === undefined
        ? [{ code: 'OUR_FAULT' }]
        : knownSentences(failureTexts, known.sentences)
  log.phase('end')
  const reason = sentences.length > 0 ? sentenceText(failureTexts, sentences) : known!.message
  const expected = timedOut || stopped || known !== undefined || error instanceof Superseded
  if (!expected) deps.logger.error({ err: error, deployment: deployment.id }, 'deployment failed unexpectedly')
  // Write the reason before the status changes: a client that sees the status must see the whole log.
  const last = await log.end(
    `${failureMark}${reason}`,
    `${failureMark}the reason is hidden because masking failed. See the server log.`
  )
  const failure = failureOf(phase, { lastLine: last.text, line: last.errorLine, sentences })
  return deps.db.transaction(async (trx) => {
    const row = await moveDeployment(trx, deployment.id, 'FAILED', deps.now(), { failure })
    if (!row) return undefined
    await log.lastLine(trx, last.text)
    // Uses the masked text, because it leaves the server by email and webhooks.
    await notifyOutcome(deps, trx, row, failure)
    return failure.reason
  })
}
