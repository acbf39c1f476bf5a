import { CreateBan, maxBanSeconds } from '@panel/contract/bans'
import { prettifyError } from 'zod'
import { findSetting } from '../db/settings.ts'
import { banByHand, listBans, unbanAddress } from '../features/bans/bans.service.ts'
import { confirmOnConsole, exportFirewall, turnOffFirewall } from '../features/firewall/firewall.service.ts'
import { createDockerEngine } from '../infra/container-engine/docker.ts'
import { run } from '../infra/process/run.ts'
import { inspectServerFirewall } from '../infra/server-firewall/inspect.ts'
import { createNftServerBans } from '../infra/server-firewall/nft-server-bans.ts'
import { createNftServerFirewall } from '../infra/server-firewall/nft-server-firewall.ts'
import { banTable, bridgePrefix, serverFirewallTable } from '../net/network-names.ts'
import { createLogger } from '../process/logger.ts'
import { serverFirewallDirectory } from '../process/paths.ts'
import { storedNetwork } from '../wiring/network.ts'
import type { CommandContext } from './command.ts'
import { columns } from './columns.ts'
import { withStore } from './store.ts'

type Deps = Awaited<ReturnType<typeof openDeps>>
type Subcommand = (deps: Deps, args: readonly string[]) => Promise<string>

const subcommands: Readonly<Record<string, { usage: string; args: [number, number]; run: Subcommand }>> = {
  status: { usage: 'status', args: [0, 0], run: status },
  rules: { usage: 'rules', args: [0, 0], run: rules },
  confirm: { usage: 'confirm', args: [0, 0], run: confirm },
  off: { usage: 'off', args: [0, 0], run: off },
  bans: { usage: 'bans [part of an address or note]', args: [0, 1], run: bans },
  ban: { usage: 'ban <address> [time such as 30m, 12h or 7d] [note]', args: [1, 3], run: ban },
  unban: { usage: 'unban <address>', args: [1, 1], run: unban }
}

/** `./panel firewall <subcommand>`: for an administrator on the console, also while the panel is not running. */
export async function firewall({ args: [name = 'status', ...args], env }: CommandContext): Promise<void> {
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (!subcommand || args.length < subcommand.args[0] || args.length > subcommand.args[1])
    throw new Error(
      ['Usage:', ...Object.values(subcommands).map(({ usage }) => `  ./panel firewall ${usage}`)].join('\n')
    )
  process.stdout.write(await withStore(env, async (store) => subcommand.run(await openDeps(store), args)))
}

async function openDeps(store: Parameters<Parameters<typeof withStore>[1]>[0]) {
  const { config, db } = store
  const instanceId = await findSetting(db, 'instance_id')
  if (instanceId === undefined) throw new Error('This panel has never been started')
  const names = { bridgePrefix: bridgePrefix(instanceId), run }
  const engine = createDockerEngine({ socketPath: config.DOCKER_SOCKET })
  const logger = createLogger(config.LOG_LEVEL)
  return {
    ...store,
    nodeId: instanceId,
    now: () => new Date(),
    logger,
    network: storedNetwork({ db, engine, config, run, instanceId, nodeId: instanceId }),
    serverBans: createNftServerBans({ ...names, table: banTable(instanceId) }),
    serverFirewall: createNftServerFirewall({
      ...names,
      table: serverFirewallTable(instanceId),
      directory: serverFirewallDirectory(config),
      logger
    })
  }
}

const states = {
  off: 'off',
  loaded: 'on',
  trial: 'a change is on trial: run ./panel firewall confirm to keep it',
  missing: 'the rules are not loaded: run ./panel up'
} as const

async function status(deps: Deps): Promise<string> {
  const { state, others } = await inspectServerFirewall({ directory: serverFirewallDirectory(deps.config), run })
  const { rules: stored } = await exportFirewall(deps)
  const { enabled, pagination } = await listBans(deps, { page: 1, limit: 1 })
  return columns([
    ['Firewall', states[state]],
    ['Rules', String(stored.length)],
    ['Bans', enabled ? `on, ${pagination.total} in force` : 'off'],
    ...others.map((chain) => ['Other tool', `${chain} drops connections too`])
  ])
}

async function rules(deps: Deps): Promise<string> {
  const { defaultAction, rules: stored } = await exportFirewall(deps)
  return columns([
    ['ACTION', 'SOURCE', 'PROTOCOL', 'PORTS', 'STATE', 'NOTE'],
    ...stored.map(({ action, source, protocol, ports, enabled, note }) => [
      action,
      source ?? 'everyone',
      protocol,
      ports.join(',') || 'all',
      enabled ? 'enabled' : 'disabled',
      note
    ]),
    [defaultAction, 'everyone', 'ANY', 'all', 'default', '']
  ])
}

async function confirm(deps: Deps): Promise<string> {
  if (!(await confirmOnConsole(deps))) throw new Error('No firewall change is pending')
  return 'The new firewall rules stay.\n'
}

async function off(deps: Deps): Promise<string> {
  await turnOffFirewall(deps)
  return 'The firewall is off. Its rules are kept; turn it on again in the panel under Firewall.\n'
}

const listedAtMost = 200

async function bans(deps: Deps, [search]: readonly string[]): Promise<string> {
  const query = { page: 1, limit: listedAtMost, ...(search === undefined ? {} : { search }) }
  const { enabled, bans: found, pagination } = await listBans(deps, query)
  const rows = found.map((each) => [
    each.address,
    each.reason,
    each.bannedAt,
    each.until ?? 'removed by hand',
    each.note
  ])
  const more = pagination.total > found.length ? `… and ${pagination.total - found.length} more\n` : ''
  const off = enabled ? '' : 'Bans are off (setting BANS): none of these is in force.\n'
  return columns([['ADDRESS', 'REASON', 'SINCE', 'UNTIL', 'NOTE'], ...rows]) + more + off
}

async function ban(deps: Deps, [address, time, note = '']: readonly string[]): Promise<string> {
  const input = CreateBan.safeParse({ address, seconds: time === undefined ? null : secondsIn(time), note })
  if (!input.success) throw new Error(prettifyError(input.error))
  const made = await banByHand(deps, {}, null, [], input.data)
  return `${made.address} is banned ${made.until === null ? 'until you remove the ban' : `until ${made.until}`}.\n`
}

async function unban(deps: Deps, [address]: readonly string[]): Promise<string> {
  if (!(await unbanAddress(deps, address!))) throw new Error(`${address} is not banned`)
  return `${address} can connect again.\n`
}

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

function secondsIn(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * unitSeconds[unit as keyof typeof unitSeconds]
  if (!(seconds >= 60 && seconds <= maxBanSeconds))
    throw new Error('The time must be 1 minute to 365 days: 30m, 12h, 7d')
  return seconds
}
