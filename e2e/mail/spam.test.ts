import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FilterSettings } from '../../packages/server/src/infra/mail-filter/mail-filter.ts'
import { serveReplyPolicy } from '../../packages/server/src/infra/mail-server/sending-policy-server.ts'
import { signal } from '../../packages/server/src/infra/process/signal.ts'
import { startProgram } from '../../packages/server/src/programs/lifecycle.ts'
import {
  eventually,
  mailbox,
  openImap,
  send,
  sendRaw,
  servedDomain,
  startTestMail,
  type TestMail
} from './servers.harness.ts'
import { type CorpusMessage, readCorpus } from '../support/mail-corpus.ts'
import { manageSieve, putting } from '../support/manage-sieve.ts'
import { pause } from '../support/processes.ts'

let mail: TestMail
beforeAll(async () => {
  mail = await startTestMail({ hasFilter: true })
  await mail.server.putDomain(await servedDomain('one.test', ['ann', 'ben']))
  await mail.server.putDomain(await servedDomain('two.test', ['eve']))
})
afterAll(() => mail?.close())

const stranger = 'someone@elsewhere.example'
const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'

const settings = (more: Partial<FilterSettings> = {}): FilterSettings => ({
  domain: 'one.test',
  isEnabled: true,
  junkScore: 6,
  refuseScore: 15,
  isGreylisting: false,
  allow: [],
  deny: [],
  ...more
})

async function readFolder(user: string, folder: string): Promise<{ subject: string; header: string }[]> {
  const client = await openImap(mail.ports.imaps, user)
  try {
    await client.mailboxOpen(folder)
    const found = client.mailbox === false || client.mailbox.exists === 0 ? [] : await client.fetchAll('1:*', { envelope: true, headers: true }) // oxfmt-ignore
    return found.map(({ envelope, headers }) => ({
      subject: envelope?.subject ?? '',
      header: headers?.toString('utf8') ?? ''
    }))
  } finally {
    await client.logout()
  }
}

const subjectsIn = async (user: string, folder: string) =>
  (await readFolder(user, folder)).map(({ subject }) => subject)

async function folderOf(user: string, subject: string): Promise<string> {
  let folder = ''
  await eventually(async () => {
    for (const name of ['INBOX', 'Junk']) if ((await subjectsIn(user, name)).includes(subject)) folder = name
    return folder !== ''
  })
  return folder
}

const suspicious = ['Reply-To: other@third.example', 'X-Mailer: PHPMailer [version 1.0]', 'To: nobody@one.test']
const deliver = (subject: string, more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ port: mail.ports.smtp, from: stranger, to: 'ann@one.test', text: 'See you at the meeting.', subject, ...more })

describe('mail from outside', () => {
  beforeEach(() => mail.filter.putSettings(settings()))

  test('ham goes to the inbox with its score', async () => {
    expect(await deliver('lunch')).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'lunch')).toBe('INBOX')
    const { header } = (await readFolder('ann@one.test', 'INBOX')).find(({ subject }) => subject === 'lunch')!
    expect(header).toMatch(/^X-Spam-Status: No/m)
    expect(header).toMatch(/^X-Spam-Score: -?\d+\.\d\d/m)
  })

  test('GTUBE is refused during SMTP without a bounce', async () => {
    expect(await deliver('gtube', { text: gtube })).toMatchObject({ code: 554 })
    expect((await mail.queue.list(10)).messages).toEqual([])
  })

  test('above the domain’s junk score it goes to Junk', async () => {
    await mail.filter.putSettings(settings({ junkScore: -100 }))
    expect(await deliver('offer')).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'offer')).toBe('Junk')
  })

  test('above the domain’s reject score it is refused', async () => {
    await mail.filter.putSettings(settings({ junkScore: -200, refuseScore: 0 }))
    expect(await deliver('too much', { headers: suspicious })).toMatchObject({
      code: 554,
      text: '554 5.7.1 Rejected as spam'
    })
  })

  test('foreign spam headers are removed', async () => {
    const headers = ['X-Spam: Yes', 'X-Spam-Status: No, score=-100', 'X-Spamd-Bar: ------', 'X-SPAM-Flag: NO']
    expect(await deliver('forged', { headers })).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'forged')).toBe('INBOX')
    const { header } = (await readFolder('ann@one.test', 'INBOX')).find(({ subject }) => subject === 'forged')!
    expect(header).not.toMatch(/score=-100|^X-Spam: |^X-Spam-Flag|X-Spamd-Bar: -----/im)
    expect(header.match(/^X-Spam-Status:/gm)).toHaveLength(1)
  })
})

describe('allow and deny lists', () => {
  test.each([
    ['an address', stranger],
    ['a domain', 'elsewhere.example'],
    ['a domain above', 'example']
  ])('%s that is denied is refused', async (_, one) => {
    await mail.filter.putSettings(settings({ deny: [one] }))
    expect(await deliver('denied')).toMatchObject({ code: 554, text: '554 5.7.1 Sender blocked by the recipient' })
  })

  test('another domain accepts it', async () => {
    await mail.filter.putSettings(settings({ deny: [stranger] }))
    expect(await deliver('to eve', { to: 'eve@two.test' })).toMatchObject({ code: 250 })
    expect(await folderOf('eve@two.test', 'to eve')).toBe('INBOX')
  })

  test('an allowed sender is accepted with any score', async () => {
    await mail.filter.putSettings(settings({ junkScore: -200, refuseScore: 0, allow: ['elsewhere.example'] }))
    expect(await deliver('allowed', { headers: suspicious })).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'allowed')).toBe('INBOX')
  })

  test('a domain without the filter accepts everything', async () => {
    await mail.filter.putSettings(settings({ isEnabled: false, refuseScore: 0 }))
    expect(await deliver('unfiltered', { headers: suspicious })).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'unfiltered')).toBe('INBOX')
  })

  test('a message to two domains is refused only if both refuse it', async () => {
    await mail.filter.putSettings(settings({ junkScore: -200, refuseScore: 0 }))
    expect(await deliver('both', { to: ['ann@one.test', 'eve@two.test'], headers: suspicious })).toMatchObject({
      code: 250
    })
    expect(await folderOf('ann@one.test', 'both')).toBe('Junk')
    await mail.filter.putSettings(settings({ domain: 'two.test', junkScore: -200, refuseScore: 0 }))
    expect(await deliver('both again', { to: ['ann@one.test', 'eve@two.test'], headers: suspicious })).toMatchObject({
      code: 554
    })
    await mail.filter.removeSettings('two.test')
  })
})

describe('greylisting', () => {
  test('suspicious mail is deferred and accepted on retry', async () => {
    await mail.filter.putSettings(settings({ isGreylisting: true, junkScore: 100, refuseScore: 200 }))
    const text = 'Buy now, it is cheap.'
    const more = { text, headers: [...suspicious, 'Subject: put off'] }
    const first = await deliver('put off', more)
    expect(first).toMatchObject({ code: 451, text: expect.stringMatching(/^451 4\.7\.1 Greylisted/) })
    await eventually(async () => (await deliver('put off', more)).code === 250)
    expect(await folderOf('ann@one.test', 'put off')).toBe('INBOX')
  })
})

describe('learning', () => {
  const spam = (index: number) =>
    `Congratulations winner ${index}, claim your exclusive casino jackpot bonus today. Cheap pills, discount watches ` +
    `and secret investment returns wait for you, guaranteed profit without any risk, act immediately number ${index * 7}.`
  const ham = (index: number) =>
    `Dear colleague, attached are the minutes of meeting ${index}. Please review the quarterly schedule, the garden ` +
    `committee budget and the train timetable before Thursday, kind regards from the library desk ${index * 3}.`

  async function move(user: string, from: string, to: string): Promise<void> {
    const client = await openImap(mail.ports.imaps, user)
    try {
      await client.mailboxOpen(from)
      await client.messageMove('1:*', to)
    } finally {
      await client.logout()
    }
  }
  const append = async (user: string, folder: string, messages: readonly string[]) => {
    const client = await openImap(mail.ports.imaps, user)
    try {
      for (const message of messages) await client.append(folder, message)
    } finally {
      await client.logout()
    }
  }
  const written = (text: string, index: number) =>
    `From: ${stranger}\r\nTo: ben@one.test\r\nSubject: no ${index}\r\nMessage-ID: <${index}.${text.length}@a.example>\r\nDate: Mon, 23 Nov 2026 04:00:00 +0000\r\n\r\n${text}\r\n` // oxfmt-ignore

  test('moving to and from Junk trains the filter for that domain only', async () => {
    await mail.filter.putSettings(settings({ junkScore: 2, refuseScore: 100 }))
    await mail.filter.putSettings(settings({ domain: 'two.test', junkScore: 2, refuseScore: 100 }))
    const numbers = Array.from({ length: 14 }, (_, index) => index)
    await append('ben@one.test', 'Archive', numbers.map(spam).map(written))
    await move('ben@one.test', 'Archive', 'Junk')
    await append('ann@one.test', 'Junk', numbers.map(ham).map(written))
    await move('ann@one.test', 'Junk', 'Archive')

    expect(await deliver('learned spam', { text: spam(99) })).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'learned spam')).toBe('Junk')
    expect(await deliver('learned ham', { text: ham(99) })).toMatchObject({ code: 250 })
    expect(await folderOf('ann@one.test', 'learned ham')).toBe('INBOX')
    expect(await deliver('not theirs', { text: spam(98), to: 'eve@two.test' })).toMatchObject({ code: 250 })
    expect(await folderOf('eve@two.test', 'not theirs')).toBe('INBOX')
    await mail.filter.removeSettings('two.test')
  })

  test('after training, spam goes to Junk or is refused, ham is delivered, and spam gets no autoreply', async () => {
    const to = 'ann@corpus.test'
    const sieve = 'require ["vacation"];\r\nvacation :days 1 "I am away.\r\nAnn";\r\n'
    const ann = await mailbox('ann', { sieve })
    await mail.server.putDomain(await servedDomain('corpus.test', [], { mailboxes: [ann] }))
    // Responses are discarded, so read Dovecot's log.
    const mayReply = () => Promise.resolve(false)
    const policy = await serveReplyPolicy(mail.paths.dovecot.replyLimits, { onError: () => {}, mayReply })
    const [spam, honest] = await Promise.all([readCorpus('spam', to), readCorpus('honest', to)])
    const rawOf = (messages: readonly CorpusMessage[]) => messages.map(({ raw }) => raw)
    await append(to, 'Junk', rawOf(honest.splice(0, 24)))
    await move(to, 'Junk', 'Archive')
    await append(to, 'INBOX', rawOf(spam.splice(0, 36)))
    await move(to, 'INBOX', 'Junk')

    const sent = [...spam, ...honest]
    /** Final status of a message; deferred ones are sent again, as by any server. */
    const codeOf = async ({ sender, raw }: CorpusMessage, index: number) => {
      const sending = { port: mail.ports.smtp, from: sender, to, plain: true }
      let code = 0
      const sendOnce = async () => (code = (await sendRaw(sending, `X-Number: ${index}\r\n${raw}`)).code)
      await expect.poll(sendOnce, { interval: 1_100 }).not.toBe(451)
      return code
    }
    const codes = await Promise.all(sent.map(codeOf))
    const arrivedIn = async (folder: string) =>
      (await readFolder(to, folder)).flatMap(({ header }) => {
        const [, index] = /^X-Number: (\d+)\r$/m.exec(header) ?? []
        return index === undefined ? [] : [sent[Number(index)]!]
      })
    const arrived = async () => ({ inbox: await arrivedIn('INBOX'), junk: await arrivedIn('Junk') })
    const taken = codes.filter((code) => code === 250).length
    await eventually(async () => Object.values(await arrived()).flat().length === taken)
    await policy.close()
    const { inbox, junk } = await arrived()
    const subjects = (messages: readonly CorpusMessage[]) => messages.map(({ subject }) => subject)
    expect([spam.length, honest.length]).toEqual([27, 27])
    expect(subjects(junk.filter((one) => honest.includes(one)))).toEqual([])
    expect(inbox.filter((one) => honest.includes(one))).toHaveLength(honest.length)
    const missed = subjects(inbox.filter((one) => spam.includes(one)))
    expect(missed.length, missed.join(' | ')).toBeLessThanOrEqual(spam.length / 10)
    const log = await readFile(mail.paths.dovecot.log, 'utf8')
    const answered = [...log.matchAll(/sent vacation response to <([^>]*)>/g)].map(([, sender]) => sender)
    expect(answered).toContain(honest[0]!.sender)
    expect(junk.filter(({ sender }) => answered.includes(sender))).toEqual([])
  })
})

describe('mail of logins', () => {
  const submit = (text: string, as = 'ann@one.test', subject = 'from inside') =>
    send({ port: mail.ports.submission, as, from: as, to: 'eve@two.test', subject, text })
  const held = async () => (await mail.queue.list(100, ({ queue }) => queue === 'hold')).messages
  afterAll(async () => {
    for (const { id } of await held()) await mail.queue.delete(id)
  })

  test('passes without filter headers', async () => {
    expect(await submit('Good morning.')).toMatchObject({ code: 250 })
    expect(await folderOf('eve@two.test', 'from inside')).toBe('INBOX')
    const { header } = (await readFolder('eve@two.test', 'INBOX')).find(({ subject }) => subject === 'from inside')!
    expect(header).not.toMatch(/^X-Spam/im)
  })

  test('GTUBE is held even if the panel cannot record it', async () => {
    expect(await submit(gtube)).toMatchObject({ code: 250 })
    expect(await held()).toMatchObject([{ sender: 'ann@one.test' }])
  })

  test('spam is held with the reason; a lot of it holds all mail of the login', async () => {
    for (let count = 0; count < 5; count++)
      expect(await submit('Good morning.', 'ben@one.test', gtube)).toMatchObject({ code: 250 })
    expect(await submit('Good morning.', 'ben@one.test')).toMatchObject({ code: 250 })
    const messages = (await held()).filter(({ sender }) => sender === 'ben@one.test')
    expect(messages).toHaveLength(6)
    const notes = [...(await mail.filter.readHeld(messages.map(({ id }) => id))).values()]
    expect(notes.filter(({ isFlood }) => !isFlood)).toHaveLength(5)
    expect(notes.find(({ isFlood }) => !isFlood)).toMatchObject({
      login: 'ben@one.test',
      symbols: expect.arrayContaining(['PANEL_TEST'])
    })
    expect(notes.find(({ isFlood }) => isFlood)).toMatchObject({ login: 'ben@one.test' })
    expect([...(await mail.queue.listHeld())]).toEqual(expect.arrayContaining(messages.map(({ id }) => id)))
    await mail.filter.markNotified(messages[0]!.id)
    expect((await mail.filter.listHeld(100)).filter(({ isNotified }) => isNotified).map(({ id }) => id)).toEqual([
      messages[0]!.id
    ])
    expect((await mail.filter.readHeld([messages[0]!.id])).size).toBe(1)
    await mail.filter.forgetHeld(messages[0]!.id)
    expect((await mail.filter.listHeld(100)).map(({ id }) => id)).not.toContain(messages[0]!.id)
    expect(await submit('Good evening.')).toMatchObject({ code: 250 })
    expect((await held()).filter(({ sender }) => sender === 'ann@one.test')).toHaveLength(1)
  })
})

test('a user script sees the panel’s variables but none of the filter’s', async () => {
  const [, message] = await manageSieve(mail.ports.managesieve, undefined, 'CAPABILITY')
  const extensions = /"SIEVE" "([^"]*)"/.exec(message!)![1]!.split(' ')
  expect(extensions).toEqual(expect.arrayContaining(['fileinto', 'vacation', 'variables']))
  const others =
    /^(vnd\..*|include|editheader|imapsieve|environment|extracttext|foreverypart|mime|metadata|servermetadata|mboxmetadata|spamtest|virustest|regex|enotify|reject|ereject)$/
  expect(extensions.filter((extension) => others.test(extension))).toEqual([])
  for (const extension of [
    'vnd.dovecot.pipe',
    'vnd.dovecot.filter',
    'vnd.dovecot.execute',
    'include',
    'editheader',
    'imapsieve'
  ]) {
    const script = putting(`require "${extension}";\r\nkeep;\r\n`)
    const [answer] = await manageSieve(mail.ports.managesieve, 'ann@one.test', script)
    expect([extension, answer]).toEqual([extension, expect.stringMatching(/^NO /)])
  }
})

test('a hanging filter: mail is delivered unfiltered in both directions', async () => {
  const hanging = (await (await mail.programs.filter()).find()).all
  try {
    await Promise.all(hanging.map(pause))
    const from = 'ben@one.test'
    const sent = await Promise.all([
      deliver('while it hangs'),
      send({ port: mail.ports.submission, as: from, from, to: 'eve@two.test', subject: 'out while it hangs' })
    ])
    expect(sent.map(({ code }) => code)).toEqual([250, 250])
  } finally {
    for (const pid of hanging) signal(pid, 'SIGCONT')
  }
  expect(await folderOf('ann@one.test', 'while it hangs')).toBe('INBOX')
  expect(await folderOf('eve@two.test', 'out while it hangs')).toBe('INBOX')
})

test('a killed filter: mail is delivered unfiltered, and it is restarted', async () => {
  await mail.filter.putSettings(settings({ refuseScore: 0, junkScore: -200 }))
  const program = await mail.programs.filter()
  for (const pid of (await program.find()).all) signal(pid, 'SIGKILL')
  await eventually(async () => (await program.find()).all.length === 0)
  await expect(mail.filter.ping('filter')).rejects.toThrow('not responding')
  expect(await deliver('without it', { headers: ['X-Spam: Yes'] })).toMatchObject({ code: 250 })
  expect(await folderOf('ann@one.test', 'without it')).toBe('INBOX')
  expect(await startProgram(program)).toMatchObject({ outcome: 'started' })
  await mail.filter.ping('filter')
  expect(await deliver('with it', { headers: suspicious })).toMatchObject({ code: 554 })
})
