import { mailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import type { VerifyMail } from '../../infra/mail-verification/mail-verification.ts'
import { isAwaited, moveTest } from './delivery-tests.repository.ts'
import { parseAnswerMessage, renderAnswerMessage } from './test-answer.render.ts'
import { answerAddress } from './test-message.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'mailServer' | 'now'>

const hourMs = 3_600_000
/** Per claimed sender domain and hour. Tests are sent manually, so this is plenty. */
const perDomain = 20
/** Per hour in total, since sender domains can be forged. Replies to our own tests are not affected. */
const perHour = 600
const maxBytes = 65_536

/** Replies to tests of other panels, and stores replies to our own tests. */
export interface TestArrivals {
  isWanted(recipient: string, sender: string): Promise<boolean>
  /** Rejects if the database or mail server is unavailable; the message is then retried. */
  take(recipient: string, message: Buffer, sender: string): Promise<void>
}

export function createTestArrivals(deps: Deps, verify: VerifyMail): TestArrivals {
  const hostname = mailHostname(deps.config)
  let hour = { since: 0, count: 0, ofDomain: new Map<string, number>() }
  const isWithinLimits = (sender: string) => {
    const now = deps.now().getTime()
    if (now - hour.since >= hourMs) hour = { since: now, count: 0, ofDomain: new Map() }
    const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase()
    const count = hour.ofDomain.get(domain) ?? 0
    if (count >= perDomain || hour.count >= perHour) return false
    hour.ofDomain.set(domain, count + 1)
    hour.count++
    return true
  }
  return {
    async isWanted(recipient, sender) {
      const test = parseDeliveryTestAddress(recipient)
      if (test?.hostname !== hostname) return false
      // Expected replies are not rate limited: each token is accepted once.
      return test.token === undefined ? isWithinLimits(sender) : isAwaited(deps.db, test.token)
    },
    async take(recipient, message, sender) {
      if (message.length > maxBytes) return
      const token = parseDeliveryTestAddress(recipient)?.token
      if (token === undefined) await answerTest(deps, hostname, message, () => verify(message, sender))
      else await keepAnswer(deps, token, message)
    }
  }
}

/** Replies only to delivery-test addresses, so that the server cannot be abused to send mail to strangers. */
async function answerTest(
  deps: Deps,
  hostname: string,
  message: Buffer,
  check: () => ReturnType<VerifyMail>
): Promise<void> {
  const to = answerAddress(message)
  if (to === undefined) return
  const answer = await check()
  const now = deps.now()
  const messageId = newId(now.getTime())
  await deps.mailServer.submit({
    sender: '',
    recipient: to,
    message: renderAnswerMessage({ to, hostname, messageId, at: now, answer })
  })
  deps.logger.info({ to, clientIp: answer.clientIp }, 'delivery test answered')
}

async function keepAnswer({ db, now }: Deps, token: string, message: Buffer): Promise<void> {
  const answer = parseAnswerMessage(message)
  if (answer) await moveTest(db, { token }, 'ANSWERED', now(), { answer })
}
