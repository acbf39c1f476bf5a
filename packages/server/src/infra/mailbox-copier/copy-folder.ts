import type { ImapFlow } from 'imapflow'
import { fetchMessages, type WantedMessage } from './fetch-messages.ts'
import type { FolderPosition, LeftOut } from './mailbox-copier.ts'
import { createArrivals, messageKey, sizeWithCrlf } from './message-key.policy.ts'
import type { TargetFolder } from './target-folder.ts'

/** Messages of a source folder that have not been copied, in copy order. */
export interface PendingFolder {
  path: string
  target: string
  uidValidity: number
  messages: readonly WantedMessage[]
}

interface FolderCopy {
  source: ImapFlow
  folder: TargetFolder
  pending: PendingFolder
  position: FolderPosition | undefined
  maxMessageBytes: number
  report(position: FolderPosition, messages: number, bytes: number): Promise<void>
  leaveOut(reason: LeftOut, messages: number): Promise<void>
}

const reportEveryMs = 1_000

/** Copies the pending messages. Detects those that were copied after the last report of an interrupted run. */
export async function copyFolder({ source, folder, pending, ...copy }: FolderCopy): Promise<void> {
  const { position, isSearchedWhole } = beginning(copy.position, folder, pending)
  // Before the first message, because a resumed run searches for copied messages from this position.
  await copy.report(position, 0, 0)
  const arrivals = createArrivals()
  for await (const facts of folder.readFacts(position.targetUidNext)) arrivals.add(messageKey(facts), facts.uid)

  let [messages, bytes, reportedAt] = [0, 0, Date.now()]
  const leftOut = new Map<LeftOut, number>()
  const report = async () => {
    for (const [reason, count] of leftOut) await copy.leaveOut(reason, count)
    leftOut.clear()
    await copy.report(position, messages, bytes)
    ;[messages, bytes, reportedAt] = [0, 0, Date.now()]
  }
  let latest = position.targetUidNext
  await source.mailboxOpen(pending.path, { readOnly: true })
  try {
    for await (const message of fetchMessages(source, pending.messages, copy.maxMessageBytes)) {
      if (message.leftOut) leftOut.set(message.leftOut, (leftOut.get(message.leftOut) ?? 0) + 1)
      if (message.content) {
        const { content, flags, receivedAt } = message
        const known = arrivals.take(messageKey({ receivedAt, size: sizeWithCrlf(content), head: content }))
        latest = Math.max(latest, (known ?? (await folder.append(content, flags, receivedAt))) + 1)
        if (!isSearchedWhole) position.targetUidNext = latest
      }
      position.lastUid = message.uid
      messages++
      bytes += message.size
      if (Date.now() - reportedAt >= reportEveryMs) await report()
    }
    position.targetUidNext = latest
  } finally {
    // Also on errors, so that progress is recorded.
    await report()
  }
}

/**
 * Start position. Messages that may have been copied without a report are searched in the target; if the UIDs of either
 * side have changed meaning (UIDVALIDITY), in the whole folder.
 */
function beginning(
  known: FolderPosition | undefined,
  folder: TargetFolder,
  { path, target, uidValidity }: PendingFolder
): { position: FolderPosition; isSearchedWhole: boolean } {
  const isSameSource = known?.uidValidity === uidValidity
  const isSameTarget = known?.target === target && known.targetUidValidity === folder.uidValidity
  const isSearchedWhole = known !== undefined && !(isSameSource && isSameTarget)
  const targetUidNext = known === undefined ? folder.uidNext : isSearchedWhole ? 1 : known.targetUidNext
  return {
    isSearchedWhole,
    position: {
      path,
      uidValidity,
      lastUid: isSameSource ? known.lastUid : 0,
      target,
      targetUidValidity: folder.uidValidity,
      targetUidNext
    }
  }
}
