import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, password, readInbox } from './servers.harness.ts'
import { docker } from '../support/engine.ts'
import type { MailPorts } from '../support/mail-panel.ts'
import type { Client, Site } from '../support/panel.ts'
import { sharedWorld } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

let ports: MailPorts
let ann: Client
let site: Site
let domain: string
beforeAll(async () => {
  const world = await sharedWorld()
  ports = world.ports
  ann = await world.panel.signUp()
  const { id, hostname } = await world.addManaged(world.newName('mail'), ann)
  domain = hostname
  for (const localPart of ['orders', 'ann']) await ann.call('POST', '/mailboxes', { domainId: id, localPart, password })
  site = await ann.createSite(world.git, { ...nodeSite('shop'), 'mail.js': sender })
  await ann.mustRun(site.id)
})
afterAll(() => ann.call('DELETE', `/projects/${site.id}`))

const sender = `
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
const [, , host, port, how, from, to, user, pass] = process.argv
const lines = []
let socket = how === 'tls'
  ? connectTls({ host, port: Number(port), rejectUnauthorized: false })
  : connect({ host, port: Number(port) })
const answer = () => new Promise((resolve, reject) => {
  let text = ''
  const take = (chunk) => {
    text += chunk
    if (!/^\\d{3} .*\\r\\n$/m.test(text)) return
    socket.off('data', take)
    resolve(text.trim().split('\\r\\n').at(-1))
  }
  socket.on('data', take)
  socket.once('error', (error) => reject(error))
  socket.setTimeout(10000, () => reject(new Error('timeout')))
})
const say = async (line) => {
  socket.write(line + '\\r\\n')
  const said = await answer()
  lines.push(said)
  return said.startsWith('2') || said.startsWith('3')
}
try {
  await answer()
  await say('EHLO site.example')
  if (how === 'starttls' && await say('STARTTLS')) {
    socket = connectTls({ socket, rejectUnauthorized: false })
    await say('EHLO site.example')
  }
  if (user) await say('AUTH PLAIN ' + Buffer.from('\\0' + user + '\\0' + pass).toString('base64'))
  if (await say('MAIL FROM:<' + from + '>') && await say('RCPT TO:<' + to + '>') && await say('DATA'))
    await say('From: <' + from + '>\\r\\nTo: <' + to + '>\\r\\nSubject: an order by ' + how + '\\r\\n\\r\\nhello\\r\\n.')
  console.log(lines.at(-1))
} catch (error) {
  console.log('no: ' + (error.code ?? error.message))
}
process.exit(0)
`

async function sendFromSite(port: number, how: 'plain' | 'starttls' | 'tls', ...args: string[]): Promise<string> {
  const container = await docker('ps', '--quiet', '--filter', `label=panel.project=${site.id}`)
  const gateway = await docker(
    'inspect',
    container,
    '--format',
    '{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}'
  )
  return docker('exec', container, 'node', 'mail.js', gateway, String(port), how, ...args)
}

test('with a mailbox password, by STARTTLS and TLS', async () => {
  const logIn = [`orders@${domain}`, password]
  const envelope = [`orders@${domain}`, `ann@${domain}`]
  expect(await sendFromSite(ports.SUBMISSION, 'starttls', ...envelope, ...logIn)).toMatch(/^250 /)
  expect(await sendFromSite(ports.SUBMISSIONS, 'tls', ...envelope, ...logIn)).toMatch(/^250 /)
  await eventually(async () => (await readInbox(ports.IMAPS, `ann@${domain}`)).length === 2)
})

test('not without it, nor as another sender, nor to others', async () => {
  const logIn = [`orders@${domain}`, password]
  expect(await sendFromSite(ports.SUBMISSION, 'starttls', `orders@${domain}`, 'bob@elsewhere.example')).toMatch(
    /^5[35]/
  )
  expect(await sendFromSite(ports.SUBMISSION, 'plain', `orders@${domain}`, `ann@${domain}`, ...logIn)).toMatch(/^530 /)
  expect(await sendFromSite(ports.SUBMISSIONS, 'tls', 'boss@bank.example', `ann@${domain}`, ...logIn)).toMatch(/^553 /)
})

test('port 25 accepts nothing from a site', async () => {
  expect(await sendFromSite(ports.SMTP, 'plain', `orders@${domain}`, `ann@${domain}`)).toMatch(/^no: /)
})
