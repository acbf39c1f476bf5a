import { expect, test } from 'vitest'
import { sendersOf } from './alias-senders.policy.ts'

const facts = {
  domainName: 'shop.test',
  mailboxes: ['ann', 'bob'],
  aliases: [
    { localPart: 'bob', targets: ['cleo@shop.test', 'ann@shop.test'] },
    { localPart: 'team', targets: ['ann@shop.test', 'sales@shop.test'] },
    { localPart: 'sales', targets: ['team@shop.test', 'bob@shop.test'] },
    { localPart: '', targets: ['ann@shop.test'] }
  ],
  ownDomains: ['shop.test', 'branch.test']
}

test.each<[string, string[], string[]]>([
  ['the mailbox that it leads to', ['ann@shop.test'], ['ann@shop.test']],
  ['with a detail', ['ann+news@shop.test'], ['ann@shop.test']],
  ['each of several, once', ['ann@shop.test', 'ann+x@shop.test', 'bob@shop.test'], ['ann@shop.test', 'bob@shop.test']],
  ['by other aliases, also such as lead to each other', ['team@shop.test'], ['ann@shop.test', 'bob@shop.test']],
  ['in another domain of the account', ['dora@branch.test'], ['dora@branch.test']],
  ['not one of another account', ['dave@rival.test'], []],
  ['not one elsewhere', ['ann@elsewhere.example'], []],
  ['not by a mailbox that sends its mail on', ['bob@shop.test'], ['bob@shop.test']],
  ['not by the catch-all', ['nobody@shop.test'], []],
  ['not in a subdomain', ['ann@mail.shop.test'], []]
])('%s', (_, targets, senders) => {
  expect(sendersOf({ targets }, facts)).toEqual(senders)
})
