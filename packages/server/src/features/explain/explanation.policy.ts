import type { Explanation, ExplainStepName } from '@panel/contract/explain'
import { explainTexts } from '@panel/contract/explain-texts'
import { sentenceText } from '@panel/contract/sentences'
import { addressStep, delegationStep } from './dns-steps.policy.ts'
import type {
  CertificateObservations,
  ContainerObservations,
  DnsObservations,
  PageObservations,
  RouteObservations,
  ServerObservations,
  Verdict
} from './observations.types.ts'
import { connectionStep, routeStep, tlsStep } from './server-steps.policy.ts'
import { containerStep, logStep, responseStep } from './site-steps.policy.ts'
import { notApplicable } from './verdict.policy.ts'

export interface Observations {
  dns: DnsObservations
  server: ServerObservations
  certificate: CertificateObservations
  route: RouteObservations
  container: ContainerObservations | null
  page: PageObservations | null
  /** Null if there is no container. */
  log: readonly string[] | 'private' | null
}

/** Each step is judged on its own, so that a second fault shows before the first one is repaired. */
export function explain(seen: Observations, now: Date): Pick<Explanation, 'cause' | 'steps'> {
  const isPanel = seen.route.kind === 'panel'
  const verdicts: Record<ExplainStepName, Verdict> = {
    DELEGATION: delegationStep(seen.dns),
    ADDRESS: addressStep(seen.dns),
    CONNECTION: connectionStep(seen.server),
    TLS: tlsStep(seen.certificate, now),
    ROUTE: routeStep(seen.route),
    CONTAINER: isPanel ? notApplicable : containerStep(seen.container),
    RESPONSE: responseStep(seen.page),
    LOG: isPanel ? notApplicable : logStep(seen.log)
  }
  const steps = (Object.entries(verdicts) as [ExplainStepName, Verdict][]).map(([step, { status, sentences }]) => ({
    step,
    status,
    message: sentenceText(explainTexts, sentences),
    sentences: [...sentences]
  }))
  return { steps, cause: steps.find(({ status }) => status === 'FAILED')?.step ?? null }
}
