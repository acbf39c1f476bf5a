import type { CreateTcpPort, TcpPort, TcpPortList } from '@panel/contract/tcp-ports'
import { tcpPortRange } from '../../config/tcp-ports.ts'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { listWholeNames } from '../domains/project-route-access.ts'
import { applyTcpRoutes } from '../domains/routing.service.ts'
import { projectChanged, runEffects } from '../hooks.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { getActor } from '../users/account-access.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { tcpPortView } from './tcp-port-view.ts'
import { deleteTcpPort, findFreePort, insertTcpPort, listTcpPorts, type TcpPortRow } from './tcp-ports.repository.ts'

export async function showTcpPorts(
  { db, config }: Pick<Dependencies, 'config' | 'db'>,
  userId: string,
  projectId: string
): Promise<TcpPortList> {
  const project = await getOwnProject(db, projectId, userId)
  const rows = await listTcpPorts(db, projectId)
  const hasNames = rows.some(({ kind }) => kind === 'TLS')
  const names = hasNames ? (await listWholeNames(db, [projectId])).map(({ hostname }) => hostname) : []
  return {
    ports: rows.map((row) => tcpPortView(config, row, project, names)),
    range: tcpPortRange(config) ?? null,
    tlsPort: config.TCP_TLS_PORT ?? null
  }
}

export async function getOwnTcpPort(db: Queryable, userId: string, projectId: string, id: string): Promise<void> {
  await getOwnProject(db, projectId, userId)
  if (!(await listTcpPorts(db, projectId)).some((port) => port.id === id)) throw notFound()
}

export async function publishTcpPort(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: CreateTcpPort
): Promise<TcpPort> {
  const now = deps.now()
  const id = newId(now.getTime())
  const effects = await deps.db.transaction(async (trx) => {
    await claimQuota(deps, trx, userId, 'maxTcpPorts')
    const project = ownedBy(await lockProject(trx, projectId), userId)
    if (project.sleepAfterMinutes !== null)
      throw new AppError(
        'CONFLICT',
        'A project that sleeps cannot publish TCP ports, because only HTTP requests wake it. Turn sleep off first.'
      )
    const row = { id, projectId, nodeId: deps.nodeId, createdAt: now, ...input }
    const published = await (input.kind === 'TLS' ? insertTls : insertPort)(deps, trx, row)
    const { kind, containerPort } = input
    await recordAudit(deps, trx, origin, {
      action: 'tcp_port.published',
      actorId: userId,
      targetId: projectId,
      metadata: { kind, containerPort, publishedPort: published }
    })
    // Ports are published on the panel's machine: a project elsewhere comes to it.
    return project.nodeId === project.filesNodeId ? [] : projectChanged(deps, trx, 'resized', project)
  })
  await runEffects(deps, effects)
  await apply(deps)
  const port = (await showTcpPorts(deps, userId, projectId)).ports.find((each) => each.id === id)
  if (!port) throw notFound()
  return port
}

/** Resolves with the port. Unique keys resolve races: a request that loses one takes another port. */
async function insertPort({ config }: Dependencies, trx: Transaction, row: TcpPortRow): Promise<number> {
  const range = tcpPortRange(config)
  if (!range)
    throw new AppError('CONFLICT', 'Published TCP ports are off on this server. Ask an administrator to turn them on.')
  const { publishedPort: wanted } = row
  if (wanted !== null) {
    if (wanted < range.first || wanted > range.last)
      throw new AppError('VALIDATION_ERROR', `publishedPort must be from ${range.first} to ${range.last}.`)
    if (await insertTcpPort(trx, { ...row, publishedPort: wanted })) return wanted
    throw new AppError(
      'CONFLICT',
      `Port ${wanted} is published already. Choose another one, or none for any free port.`
    )
  }
  for (;;) {
    const publishedPort = await findFreePort(trx, row.nodeId, range)
    if (publishedPort === undefined) break
    if (await insertTcpPort(trx, { ...row, publishedPort })) return publishedPort
  }
  throw new AppError(
    'PORTS_EXHAUSTED',
    `All ports from ${range.first} to ${range.last} are published. Remove one, or ask an administrator to widen the range.`
  )
}

async function insertTls({ config }: Dependencies, trx: Transaction, row: TcpPortRow): Promise<null> {
  if (config.TCP_TLS_PORT === undefined)
    throw new AppError('CONFLICT', 'This server has no port for TLS names. Ask an administrator to set one.')
  if (row.publishedPort !== null)
    throw new AppError('VALIDATION_ERROR', 'publishedPort is for the kind PORT only: TLS names share one port.')
  if (await insertTcpPort(trx, row)) return null
  throw new AppError('CONFLICT', 'This project has a port for TLS already. Remove it first.')
}

/** Connections that are open stay until they end. */
export async function removeTcpPort(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { projectId, portId }: { projectId: string; portId: string }
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    await getActor(trx, userId)
    const row = await deleteTcpPort(trx, projectId, portId)
    if (!row) throw notFound()
    const { kind, containerPort, publishedPort } = row
    await recordAudit(deps, trx, origin, {
      action: 'tcp_port.removed',
      actorId: userId,
      targetId: projectId,
      metadata: { kind, containerPort, publishedPort }
    })
  })
  await apply(deps)
}

const apply = (deps: Dependencies) => runEffects(deps, [{ feature: 'tcp-ports', run: () => applyTcpRoutes(deps) }])

const notFound = () => new AppError('NOT_FOUND', 'TCP port not found')
