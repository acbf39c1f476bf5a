import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mailer, MailMessage } from '../../src/infra/mailer/mailer.ts'

interface MailerEnvironment {
  mailer: Mailer
  received(): readonly MailMessage[]
  /** Makes the server refuse or accept mail. */
  refuse(isRefused: boolean): void
  close(): Promise<void>
}

/** Contract of every Mailer. */
export function describeMailer(name: string, open: () => Promise<MailerEnvironment>): void {
  describe(`mailer: ${name}`, () => {
    let mail: MailerEnvironment
    beforeAll(async () => {
      mail = await open()
    })
    afterAll(() => mail?.close())

    test('a message arrives unchanged', async () => {
      const message = { to: 'ann@example.com', subject: 'Your certificate', text: 'It ends soon.\n\nRenew it.' }
      await mail.mailer.send(message)
      expect(mail.received().at(-1)).toEqual(message)
    })

    test('an address with special characters is one recipient', async () => {
      const to = '"ann,bob@example.net"@example.com'
      await mail.mailer.send({ to, subject: 'One', text: 'for one' })
      expect(mail.received().at(-1)).toMatchObject({ to })
    })

    test('a refused message is an error, and the next one arrives', async () => {
      const message = { to: 'ann@example.com', subject: 'Refused', text: 'or not' }
      mail.refuse(true)
      await expect(mail.mailer.send(message)).rejects.toMatchObject({ kind: 'mail-server-unavailable' })
      mail.refuse(false)
      await mail.mailer.send(message)
      expect(mail.received().filter(({ subject }) => subject === 'Refused')).toHaveLength(1)
    })
  })
}
