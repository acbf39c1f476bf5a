import type { DeliveryCounts, DeliveryEntry, DeliverySearch } from './delivery-log.ts'

export function findDeliveries(
  entries: readonly DeliveryEntry[],
  search: DeliverySearch
): { entries: DeliveryEntry[]; total: number } {
  const wanted = entries.filter(filterOf(search))
  return { entries: wanted.slice(search.offset, search.offset + search.limit), total: wanted.length }
}

export function countDeliveries(entries: readonly DeliveryEntry[], since: Date): DeliveryCounts {
  const counts = { success: 0, deferred: 0, bounced: 0, rejected: 0 }
  for (const { at, status } of entries) if (at >= since) counts[status]++
  return counts
}

function filterOf({ domain, mailbox, status, queueId }: DeliverySearch): (entry: DeliveryEntry) => boolean {
  const wantedDomain = domain?.toLowerCase()
  const wantedMailbox = mailbox === undefined ? undefined : mailboxOf(mailbox)
  return (entry) =>
    (status === undefined || entry.status === status) &&
    (queueId === undefined || entry.queueId === queueId) &&
    (wantedDomain === undefined || addressesOf(entry).some((each) => domainOf(each) === wantedDomain)) &&
    (wantedMailbox === undefined || addressesOf(entry).some((each) => mailboxOf(each) === wantedMailbox))
}

const addressesOf = ({ sender, recipient, originalRecipient }: DeliveryEntry): string[] =>
  [sender, recipient, originalRecipient].filter((each) => each !== undefined)

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const mailboxOf = (address: string): string => address.toLowerCase().replace(/^([^+"]+)\+[^"]*@/, '$1@')
