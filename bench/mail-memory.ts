import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { password, send } from '../e2e/mail/servers.harness.ts'
import { docker } from '../e2e/support/engine.ts'
import { startMailPanel } from '../e2e/support/mail-panel.ts'
import type { RunningPanel } from '../e2e/support/panel.ts'
import { until } from '../e2e/support/poll.ts'
import { openWebmail } from '../e2e/support/webmail.ts'
import { report } from './figures.ts'
import { listProcesses } from './processor-time.ts'
import { step } from './step.ts'

/** The first process of each, as the kernel names it. */
const servers = new Map([
  ['dovecot', 'Dovecot'],
  ['master', 'Postfix'],
  ['opendkim', 'OpenDKIM'],
  ['rspamd', 'Rspamd'],
  ['redis-server', 'Redis']
])

/** All of mail at rest: a minute after one mailbox has got five messages and its owner has looked at them by webmail. */
export async function benchMailMemory(): Promise<void> {
  const { panel, ports } = await step('starting ./panel up with mail, spam filter and webmail', () =>
    startMailPanel({ MAIL_SPAM_FILTER: 'on', MAIL_SPAM_LOOKUPS: 'off', WEBMAIL: 'on' })
  )
  try {
    const client = await panel.signUp()
    const { id: domainId } = await client.call<{ id: string }>('POST', '/domains', { hostname: 'measured.example' })
    await client.call('POST', `/domains/${domainId}/verify?mock=true`)
    await client.call('POST', '/mailboxes', { domainId, localPart: 'ann', password })
    const browser = openWebmail(panel)
    const visit = () =>
      browser.visit('/').then(
        ({ status }) => status,
        () => 0
      )
    await step('waiting for the webmail', () => until(visit, (status) => status === 200, 600_000))
    for (let message = 0; message < 5; message++)
      await send({ port: ports.SMTP, from: 'bob@elsewhere.example', to: 'ann@measured.example', plain: true })
    if (!(await browser.logIn('ann@measured.example', password))) throw new Error('the webmail refuses the password')
    await browser.subjects()
    await step('idle for a minute', () => sleep(60_000))
    await reportMailMemory(panel, 'all of mail at rest')
  } finally {
    await step('stopping the panel and removing what it made', () => panel.dispose())
  }
}

/** Memory of their own and their share of what they have in common, by program, with the sum. */
export async function reportMailMemory(panel: RunningPanel, name: string): Promise<void> {
  const bytes = new Map<string, number>()
  const add = async (server: string, pid: number) => bytes.set(server, (bytes.get(server) ?? 0) + (await shareOf(pid)))
  const processes = new Map((await listProcesses(panel.pid(), panel.dataDir)).map((each) => [each.pid, each]))
  for (const { pid } of processes.values()) {
    const server = serverOf(pid, processes)
    if (server !== undefined) await add(server, pid)
  }
  // In a container, which is none of the panel's processes.
  for (const pid of await webmailProcesses(panel)) await add('Apache and PHP of the webmail', pid)
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0)
  report(`memory of ${name}`, megabytes(total))
  for (const [program, each] of bytes) report(`  ${program}`, megabytes(each))
}

async function shareOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '') // It has ended.
  return Number(/^Pss:\s+([0-9]+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024
}

async function webmailProcesses({ instanceId }: RunningPanel): Promise<number[]> {
  const filters = [`label=panel.instance=${instanceId}`, 'label=panel.role=webmail']
  const container = await docker('ps', '--quiet', ...filters.flatMap((filter) => ['--filter', filter]))
  if (container === '') return []
  const [, ...lines] = (await docker('top', container, '-eo', 'pid')).split('\n')
  return lines.map(Number)
}

function serverOf(
  pid: number,
  processes: ReadonlyMap<number, { parent: number; program: string }>
): string | undefined {
  for (let at = processes.get(pid); at !== undefined; at = processes.get(at.parent))
    if (servers.has(at.program)) return servers.get(at.program)
  return undefined
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`
