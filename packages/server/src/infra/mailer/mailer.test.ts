import { describeMailer } from '../../../test/contracts/mailer.contract.ts'
import { createMemoryMailer } from '../../../test/fakes/memory-mailer.ts'
import { type ReceivedMail, startSmtpSink } from '../../../test/support/smtp-sink.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

describeMailer('in memory', async () => {
  const mailer = createMemoryMailer()
  return {
    mailer,
    received: () => mailer.sent,
    refuse(isRefused) {
      mailer.isRefusing = isRefused
    },
    close: async () => {}
  }
})

describeMailer('SMTP', async () => {
  const sink = await startSmtpSink()
  return {
    mailer: createSmtpMailer({ url: () => sink.url, from: () => 'panel@example.com' }),
    received: () => sink.received.map(messageOf),
    refuse(isRefused) {
      sink.refuse = isRefused
    },
    close: () => sink.close()
  }
})

function messageOf({ to, data }: ReceivedMail) {
  const [head = '', ...body] = data.split('\n\n')
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? ''
  return { to: to.join(' '), subject, text: body.join('\n\n').trimEnd() }
}
