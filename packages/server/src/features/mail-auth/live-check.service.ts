import type { DetectedMailRecord } from '@panel/contract/mail-auth'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Config } from '../../config.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import type { DomainRow } from '../feature.ts'
import {
  checkAnswers,
  detectedRecords,
  isAnswer,
  type MailAnswers,
  type MailQuestions,
  mailQuestions,
  mockedAnswers
} from './live-check.policy.ts'
import { listActiveKeys, saveChecks } from './mail-auth.repository.ts'
import { loadRecords } from './records.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'publicDns'>

// Each check opens sockets of this process: a handful of names, at every resolver.
const checkLimit = createConcurrencyLimit({ total: 20, perKey: 4, what: 'checks of mail records' })
const namesAtATime = 5

/** Looks up the records of a domain with external DNS and stores the result. */
export async function checkPublicRecords(deps: Deps, domain: DomainRow): Promise<DetectedMailRecord[]> {
  const key = (await listActiveKeys(deps.db, [domain.id])).get(domain.id)
  const records = await loadRecords(deps, deps.db, domain, key ? [key] : [])
  const questions = mailQuestions(domain.hostname, key?.selector, records)
  const answers = isDnsMocked(deps.config)
    ? mockedAnswers(records)
    : await checkLimit.run(domain.userId, () => ask(deps, questions))
  const found = checkAnswers(domain.hostname, answers, { key, records })
  await saveChecks(deps.db, domain.id, { ...found, checkedAt: deps.now() })
  return detectedRecords(questions, answers)
}

/** Without any network access. */
export const isDnsMocked = ({ NODE_ENV, PANEL_MOCK_DNS }: Pick<Config, 'NODE_ENV' | 'PANEL_MOCK_DNS'>): boolean =>
  NODE_ENV === 'test' || PANEL_MOCK_DNS

async function ask({ publicDns }: Pick<Deps, 'publicDns'>, questions: MailQuestions): Promise<MailAnswers> {
  const answers = new Map<string, Lookup[]>()
  const rest = [...questions]
  while (rest.length > 0) {
    const some = rest.splice(0, namesAtATime)
    const lookups = await Promise.all(some.map(([, { name, type }]) => publicDns.lookUp(name, type)))
    for (const [index, [question]] of some.entries()) answers.set(question, lookups[index]!)
    // The remaining lookups would time out as well.
    if (!lookups.flat().some(isAnswer)) break
  }
  return answers
}
