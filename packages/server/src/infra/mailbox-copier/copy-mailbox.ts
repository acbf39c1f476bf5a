import type { ImapFlow, ListResponse } from 'imapflow'
import { CopyFailure, plainLine, sourceOutcome, targetOutcome } from './copy-failure.policy.ts'
import { copyFolder, type PendingFolder } from './copy-folder.ts'
import type { CopyOrder } from './copy-protocol.ts'
import { mapFolders } from './folder-mapping.policy.ts'
import { type ImapSession, openSource, openTarget } from './imap-clients.ts'
import type { CopyEvent, CopyOutcome } from './mailbox-copier.ts'
import { openTargetFolder, TargetError } from './target-folder.ts'

const maxFolders = 2_000
/** Per folder; its UIDs are held in memory. */
const maxMessages = 1_000_000

type Emit = (event: CopyEvent) => Promise<void>

/** Copies the whole mailbox. Never rejects because of a server's behavior. */
export async function copyMailbox(order: CopyOrder, emit: Emit): Promise<CopyOutcome> {
  let [source, target]: [ImapSession | undefined, ImapSession | undefined] = [undefined, undefined]
  try {
    source = await openSource(order)
    target = await openTarget().catch((cause: unknown) => {
      throw new TargetError(cause)
    })
    await copyAll(order, source.client, target.client, emit)
    await source.client.logout().catch(() => {})
    await target.client.logout().catch(() => {})
    return { problem: undefined }
  } catch (error) {
    if (error instanceof TargetError) return targetOutcome(target?.problem() ?? error.cause)
    return sourceOutcome(error instanceof CopyFailure ? error : (source?.problem() ?? error))
  } finally {
    source?.client.close()
    target?.client.close()
  }
}

async function copyAll(order: CopyOrder, source: ImapFlow, target: ImapFlow, emit: Emit): Promise<void> {
  const positions = new Map(order.positions.map((position) => [position.path, position]))
  const plan: { path: string; target: string; messages: number }[] = []
  let [messages, bytes] = [0, 0]
  for (const folder of await wantedFolders(order, source, emit)) {
    const pending = await findPending(order, source, folder)
    if (!pending) {
      await emit({ type: 'left-out', folder: plainLine(folder.path), reason: 'unreadable', messages: 0 })
      continue
    }
    plan.push({ ...folder, messages: pending.messages.length })
    messages += pending.messages.length
    bytes += pending.messages.reduce((sum, { size }) => sum + size, 0)
    await emit({ type: 'alive' })
  }
  await emit({ type: 'planned', folders: plan.length, messages, bytes })

  for (const { path, target: targetPath, messages: count } of plan) {
    const folder = await openTargetFolder(target, targetPath)
    // Listed again: includes new messages, and avoids holding the UIDs of all folders in memory.
    const pending = count === 0 ? undefined : await findPending(order, source, { path, target: targetPath })
    if (pending)
      await copyFolder({
        source,
        folder,
        pending,
        position: positions.get(path),
        maxMessageBytes: order.maxMessageBytes,
        report: (position, copied, size) => emit({ type: 'position', position, messages: copied, bytes: size }),
        leaveOut: (reason, left) => emit({ type: 'left-out', folder: plainLine(path), reason, messages: left })
      })
    await emit({ type: 'folder-done' })
  }
}

async function wantedFolders(
  { folders }: CopyOrder,
  source: ImapFlow,
  emit: Emit
): Promise<{ path: string; target: string }[]> {
  const listed = await source.list()
  await emit({ type: 'alive' })
  const mapped = mapFolders(listed.map(asSourceFolder), source.namespace ? source.namespace.prefix : '')
  const missing = folders?.filter((path) => !mapped.some((one) => one.path === path)) ?? []
  if (missing.length > 0) throw new CopyFailure('folder-missing', missing.slice(0, 5).join(', '))
  const wanted = folders === undefined ? mapped : mapped.filter(({ path }) => folders.includes(path))
  if (wanted.length > maxFolders) throw new CopyFailure('too-many-folders', String(wanted.length))
  const kept: { path: string; target: string }[] = []
  for (const { path, target } of wanted)
    if (typeof target === 'string') kept.push({ path, target })
    else await emit({ type: 'left-out', folder: plainLine(path), reason: target.leftOut, messages: 0 })
  return kept
}

const asSourceFolder = ({ path, delimiter, specialUse, flags }: ListResponse) => ({
  path,
  delimiter: delimiter || null,
  specialUse,
  isContainer: ['\\noselect', '\\nonexistent'].some((flag) => [...flags].some((each) => each.toLowerCase() === flag))
})

/** Undefined if the source refuses to open the folder. */
async function findPending(
  { positions }: CopyOrder,
  source: ImapFlow,
  { path, target }: { path: string; target: string }
): Promise<PendingFolder | undefined> {
  const opened = await source.mailboxOpen(path, { readOnly: true }).catch((error: unknown) => {
    // NO: the folder is refused. Any other error ends the connection.
    if ((error as { responseStatus?: unknown }).responseStatus !== 'NO') throw error
    return undefined
  })
  if (!opened) return undefined
  const uidValidity = Number(opened.uidValidity)
  const position = positions.find((one) => one.path === path)
  const after = position?.uidValidity === uidValidity ? position.lastUid : 0
  const sizes = new Map<number, number>()
  if (opened.exists > 0 && opened.uidNext > after + 1)
    for await (const { uid, size } of source.fetch(`${after + 1}:*`, { uid: true, size: true }, { uid: true })) {
      if (uid > after) sizes.set(uid, Math.max(0, size ?? 0))
      if (sizes.size > maxMessages) throw new CopyFailure('too-many-messages', path)
    }
  const messages = [...sizes].map(([uid, size]) => ({ uid, size })).sort((a, b) => a.uid - b.uid)
  return { path, target, uidValidity, messages }
}
