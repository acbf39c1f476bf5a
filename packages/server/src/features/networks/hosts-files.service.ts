import { constants } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { hostsDirectory } from '../../process/paths.ts'
import { renderHosts } from './hosts-file.policy.ts'
import { listSiteNames } from './hosts-files.repository.ts'
import { listNetworks, listNetworksOf } from './networks.repository.ts'
import { gatewayOf } from './subnets.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodeId'>

const hostsFile = ({ config }: Pick<Deps, 'config'>, uid: number): string => join(hostsDirectory(config), String(uid))

/**
 * Writes the file that is /etc/hosts in the containers of an account, and resolves with its path. With it a site reaches itself and
 * the account's other sites on servers whose public address does not come back to them (NAT), and below localhost.
 */
export async function prepareHostsFile(deps: Deps, uid: number): Promise<string> {
  const [first] = await listNetworksOf(deps.db, deps.nodeId, uid)
  const names = (await listSiteNames(deps.db, uid)).get(uid) ?? []
  const path = hostsFile(deps, uid)
  await mkdir(hostsDirectory(deps.config), { recursive: true, mode: 0o711 })
  await writeInPlace(path, renderHosts(gatewayOf(first!.subnet), names))
  return path
}

/** Running containers see the change. */
export async function reconcileHostsFiles(deps: Deps): Promise<void> {
  const [networks, names] = await Promise.all([listNetworks(deps.db, deps.nodeId), listSiteNames(deps.db)])
  const gateways = new Map<number, string>()
  for (const { uid, subnet } of networks) if (!gateways.has(uid)) gateways.set(uid, gatewayOf(subnet))
  await mkdir(hostsDirectory(deps.config), { recursive: true, mode: 0o711 })
  for (const [uid, gateway] of gateways)
    await writeInPlace(hostsFile(deps, uid), renderHosts(gateway, names.get(uid) ?? []))
  for (const name of await readdir(hostsDirectory(deps.config)))
    if (!gateways.has(Number(name))) await rm(join(hostsDirectory(deps.config), name))
}

/** Containers mount the file itself, so it must stay the same one. A text that was written in part is completed by the next round. */
async function writeInPlace(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o644)
  try {
    const bytes = Buffer.from(text)
    if (bytes.equals(await file.readFile())) return
    await file.write(bytes, 0, bytes.length, 0)
    await file.truncate(bytes.length)
  } finally {
    await file.close()
  }
}
