import type { Dependencies } from '../dependencies.ts'
import { createLogInPolicy } from '../features/mail-limits/log-ins.service.ts'
import { createSendingPolicy } from '../features/mail-limits/mail-limits.service.ts'
import { createReplyDecision } from '../features/mail-limits/replies.service.ts'
import { createTestArrivals } from '../features/delivery-tests/arriving-tests.service.ts'
import { createReportArrivals } from '../features/mail-reports/arriving.service.ts'
import { reportedDomain } from '../infra/mail-intake/intake-address.ts'
import { serveMailIntake } from '../infra/mail-intake/mail-intake.ts'
import { createMailVerifier } from '../infra/mail-verification/verify-mail.ts'
import { mailHostname } from '../config/mail.ts'
import { createReportReader } from '../infra/mail-reports/report-reader.ts'
import { ensurePolicyKey, serveLogInPolicy } from '../infra/mail-server/log-in-policy-server.ts'
import { type MailPaths, mailPaths } from '../infra/mail-server/mail-paths.ts'
import { serveReplyPolicy, serveSendingPolicy } from '../infra/mail-server/sending-policy-server.ts'
import { run } from '../infra/process/run.ts'
import { messageOf } from '../text/message-of.ts'
import { mailDirectories } from '../process/paths.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'failedLogIns' | 'jobs' | 'logger' | 'mailServer' | 'now' | 'publicDns'
>
type Serving = { close(): Promise<void> }

/** Serves the policy checks of Postfix and Dovecot, and receives the mail that the panel processes itself. */
export async function startMailPolicies(deps: Deps): Promise<Serving> {
  if (!deps.config.MAIL || process.getuid?.() !== 0) return { close: async () => {} }
  const paths = mailPaths(await mailDirectories(deps.config))
  const servers = await Promise.all([sending, replies, logIns, intake].map((start) => serve(deps, paths, start)))
  return { close: async () => void (await Promise.all(servers.map((server) => server?.close()))) }
}

type OnError = (error: unknown) => void

const sending = (deps: Deps, { postfix }: MailPaths, onError: OnError) =>
  serveSendingPolicy(postfix.limits, { policy: createSendingPolicy(deps), onError, run })

const replies = (deps: Deps, { dovecot }: MailPaths, onError: OnError) =>
  serveReplyPolicy(dovecot.replyLimits, { mayReply: createReplyDecision(deps), onError })

const logIns = async (deps: Deps, paths: MailPaths, onError: OnError) =>
  serveLogInPolicy({
    port: deps.config.MAIL_POLICY_PORT,
    key: await ensurePolicyKey(paths),
    policy: createLogInPolicy(deps),
    onError
  })

const maxIntakeBytes = 10 * 2 ** 20

function intake(deps: Deps, { postfix }: MailPaths, onError: OnError) {
  const arrivals = createReportArrivals(deps)
  const readReports = createReportReader({ onError })
  const tests = createTestArrivals(
    deps,
    createMailVerifier({ publicDns: deps.publicDns, hostname: mailHostname(deps.config) })
  )
  return serveMailIntake(postfix.intake, {
    policy: {
      async isWanted(recipient, sender) {
        const domain = reportedDomain(recipient)
        return domain === undefined ? tests.isWanted(recipient, sender) : arrivals.isWanted(domain)
      },
      async take(recipient, message, sender) {
        const domain = reportedDomain(recipient)
        await (domain === undefined
          ? tests.take(recipient, message, sender)
          : arrivals.keep(domain, await readReports(message)))
      }
    },
    maxBytes: maxIntakeBytes,
    onError,
    run
  })
}

async function serve(
  deps: Deps,
  paths: MailPaths,
  start: (deps: Deps, paths: MailPaths, onError: OnError) => Promise<Serving>
): Promise<Serving | undefined> {
  const onError = (error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'mail policy server failed')
  return start(deps, paths, onError).catch((error: unknown) => void onError(error))
}
