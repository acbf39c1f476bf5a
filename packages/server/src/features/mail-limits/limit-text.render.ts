/** What the owner of a domain is told when one of its mailboxes has sent more than it may. */
export const renderLimit = (address: string): string =>
  `The mailbox ${address} has tried to send to more recipients within an hour than is allowed. What goes beyond that is refused for now, and a mail program tries again by itself. If this was not you, somebody else knows its password: change it now.`

/** When the filter has held mail that one of the mailboxes was to send. */
export const renderHeld = (address: string): string =>
  `Mail that the mailbox ${address} was to send looks like spam. It was not sent: it is held in the queue until the administrator of this server releases or deletes it. If this was not you, somebody else knows its password: change it now. If it was, write to the administrator of this server.`
