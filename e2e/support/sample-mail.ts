import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { mailboxImports } from '../../packages/server/src/db/schema/mailbox-imports.ts'
import { createReportArrivals } from '../../packages/server/src/features/mail-reports/arriving.service.ts'
import { parseDmarcReport } from '../../packages/server/src/infra/mail-reports/dmarc-report.ts'
import type { MemoryMailQueue } from '../../packages/server/test/fakes/memory-mail-queue.ts'
import { dmarcXml } from '../../packages/server/test/fixtures/dmarc-reports.fixture.ts'
import { mailServerOf, newAlias, newMailbox } from '../../packages/server/test/support/mail.ts'
import type { Client, TestPanel } from '../../packages/server/test/support/panel.ts'

const minuteMs = 60_000
const longName = 'kundenportal-versicherungsgruppe-sued-staging'

export async function fillMail(
  panel: TestPanel,
  admin: Client,
  { domainId, partnerId, mailboxId }: Record<'domainId' | 'partnerId' | 'mailboxId', string>
): Promise<void> {
  const long = await newMailbox(admin, domainId, { localPart: 'info-and-support-of-the-whole-company', quota: 100 })
  mailServerOf(panel).mail.set(
    long.address,
    Array.from({ length: 91 }, () => 'm'.repeat(1024 ** 2))
  )
  await admin.request('PUT', `/api/mailboxes/${long.id}/autoreply`, { text: 'I am away, and read this on Monday.' })
  const former = await newMailbox(admin, domainId, { localPart: 'former' })
  await admin.request('DELETE', `/api/mailboxes/${former.id}`)
  await newMailbox(admin, partnerId, { localPart: 'ops' })
  await newAlias(admin, domainId, 'sales', 'ada@example.com', `${longName}@partner.example.org`)
  await newAlias(admin, domainId, '*', 'ada@example.com')
  await newAlias(admin, domainId, 'ada', 'ada@elsewhere.example.org')
  const from = { host: 'imap.example.net', username: 'ada@example.net', password: 'the password of elsewhere' }
  const imported = await admin.request('POST', `/api/mailboxes/${mailboxId}/imports`, from)
  await panel.deps.db
    .update(mailboxImports)
    .set({ status: 'RUNNING', workerId: 1, messagesDone: 1_204, messagesTotal: 4_310 })
    .where(eq(mailboxImports.id, imported.json<{ id: string }>().id))
}

export async function fillMailServer({ deps }: TestPanel): Promise<void> {
  const waiting = { arrivedAt: new Date(Date.now() - 95 * minuteMs), bytes: 48_213, sender: 'ada@example.com' }
  const recipients = [
    { address: `${longName}@partner.example.org`, reason: 'connect to mx.partner.example.org[192.0.2.25]:25: Connection timed out' } // oxfmt-ignore
  ]
  const { messages } = deps.mailQueue as MemoryMailQueue
  for (const [id, queue] of [
    ['4jXzYh19STzXS6P', 'deferred'],
    ['4jXzYh35rGzXS80', 'hold'],
    ['4jXzYh35rGzXS99', 'active']
  ] as const)
    messages.set(id, { ...waiting, id, queue, recipients, recipientCount: 3 })
  const at = `${new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format()} ${String(new Date().getUTCDate()).padStart(2)} 00:00:00 mail`
  await mkdir(join(deps.config.DATA_DIR, 'mail'), { recursive: true })
  await writeFile(
    join(deps.config.DATA_DIR, 'mail', 'mail.log'),
    [
      `${at} postfix/qmgr[1]: 4jXzYh19STzXS6P: from=<ada@example.com>, size=615, nrcpt=2 (queue active)`,
      `${at} postfix/smtp[1]: 4jXzYh19STzXS6P: to=<bob@example.org>, orig_to=<team@example.com>, relay=mx.example.org[192.0.2.25]:25, delay=1.4, delays=1/0.2/0.1/0.1, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 5B1D31C0A1)`,
      `${at} postfix/smtp[1]: 4jXzYh19STzXS6P: to=<${longName}@partner.example.org>, relay=none, delay=30, delays=0/0/30/0, dsn=4.4.1, status=deferred (connect to mx.partner.example.org[192.0.2.26]:25: Connection timed out)`,
      `${at} postfix/smtpd[1]: NOQUEUE: reject: RCPT from unknown[198.51.100.7]: 550 5.1.1 <no@example.com>: Recipient address rejected: User unknown in virtual mailbox table; from=<q@elsewhere.example> to=<no@example.com> proto=ESMTP helo=<h>`,
      ''
    ].join('\n')
  )
  const begin = new Date(new Date(Date.now() - 24 * 60 * minuteMs).toISOString().slice(0, 10))
  const rows = [{ ip: '203.0.113.1', count: 214 }, { ip: '198.51.100.7', count: 3, dkim: 'fail', spf: 'fail', disposition: 'quarantine' }] // oxfmt-ignore
  const report = parseDmarcReport(dmarcXml({ domain: 'example.com', begin, rows }))!
  await createReportArrivals(deps).keep('example.com', [report])
}
