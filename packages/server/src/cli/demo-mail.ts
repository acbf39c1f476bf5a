import { randomBytes } from 'node:crypto'
import type { Dependencies } from '../dependencies.ts'
import { createReportArrivals } from '../features/mail-reports/arriving.service.ts'
import { createMailAlias } from '../features/mailboxes/mail-aliases.service.ts'
import { createMailbox } from '../features/mailboxes/mailboxes.service.ts'
import type { DmarcRow } from '../infra/mail-reports/mail-reports.ts'
import { mailDomain } from './demo-domains.ts'

const mailboxes = [
  { localPart: 'info', quota: 200 },
  { localPart: 'orders', quota: 20 },
  { localPart: 'anna.brandt', quota: 1_024 },
  { localPart: 'jobs', quota: 50 }
]

interface Message {
  from: string
  to: string
  subject: string
  /** MiB of attachment. */
  size?: number
}

const at = (localPart: string) => `${localPart}@${mailDomain}`

/** Nothing listens at an address of TEST-NET-1 (RFC 5737), so its message stays in the queue. */
const unreachable = 'reception@[192.0.2.25]'

const messages: readonly Message[] = [
  { from: at('anna.brandt'), to: at('info'), subject: 'Opening hours at Easter' },
  { from: at('info'), to: at('orders'), subject: 'Order 1042: 60 rolls for Friday', size: 4 },
  { from: at('info'), to: at('orders'), subject: 'Order 1043: wedding cake, photos attached', size: 9 },
  { from: at('orders'), to: at('anna.brandt'), subject: 'Invoices of November', size: 6 },
  { from: at('jobs'), to: at('anna.brandt'), subject: 'Application: apprentice baker', size: 3 },
  { from: at('orders'), to: 'kitchen@hotel-seeblick.example', subject: 'Your order 1044' },
  { from: at('orders'), to: unreachable, subject: 'Your order 1045' }
]

/** Mailboxes that have mail, deliveries of each outcome, a message in the queue, and a DMARC report. */
export async function addMail(deps: Dependencies, userId: string, domainId: string): Promise<void> {
  for (const { localPart, quota } of mailboxes)
    await createMailbox(deps, {}, userId, {
      domainId,
      localPart,
      quota,
      password: randomBytes(12).toString('base64url')
    })
  await createMailAlias(deps, {}, userId, { domainId, localPart: 'hello', targets: [at('info'), at('anna.brandt')] })
  for (const message of messages)
    await deps.mailServer.submit({ sender: message.from, recipient: message.to, message: render(message, deps.now()) })
  await addReport(deps)
}

const render = ({ from, to, subject, size = 0 }: Message, now: Date): string =>
  [
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomBytes(12).toString('hex')}@${mailDomain}>`,
    'MIME-Version: 1.0',
    ...(size === 0
      ? ['Content-Type: text/plain; charset=us-ascii', '', 'A message of the demo.']
      : [
          'Content-Type: application/octet-stream; name="attachment.bin"',
          'Content-Transfer-Encoding: base64',
          '',
          ...Array.from({ length: (size * 2 ** 20) / 78 }, () => 'A'.repeat(76))
        ]),
    ''
  ].join('\r\n')

async function addReport(deps: Dependencies): Promise<void> {
  const dayMs = 24 * 3_600_000
  const end = new Date(Math.floor(deps.now().getTime() / dayMs) * dayMs)
  const row = (sourceIp: string, messages: number, isAligned: boolean): DmarcRow => ({
    sourceIp,
    messages,
    disposition: isAligned ? 'none' : 'quarantine',
    dkimAligned: isAligned,
    spfAligned: isAligned,
    headerFrom: mailDomain,
    dkimDomain: isAligned ? mailDomain : undefined,
    spfDomain: isAligned ? mailDomain : undefined
  })
  const report = {
    reporter: 'mailbox-provider.example',
    reportId: `demo-${end.getTime()}`,
    domain: mailDomain,
    begin: new Date(end.getTime() - dayMs),
    end,
    policy: 'none' as const,
    rows: [row('203.0.113.10', 214, true), row('198.51.100.7', 3, false)]
  }
  await createReportArrivals(deps).keep(mailDomain, [report])
}
