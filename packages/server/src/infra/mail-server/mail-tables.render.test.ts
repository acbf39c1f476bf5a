import { describe, expect, test } from 'vitest'
import { renderDovecotUsers } from './dovecot-users.render.ts'
import type { ServedMailbox, ServedMailDomain } from './mail-server.ts'
import { mapNames, parseFragment, renderFragment, renderMapEntries } from './postfix-maps.render.ts'

const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo'
const mailbox = (localPart: string, more: Partial<ServedMailbox> = {}): ServedMailbox => ({
  localPart,
  passwordHash,
  quotaMb: 500,
  mayLogIn: true,
  sieve: undefined,
  ...more
})
const domain = (more: Partial<ServedMailDomain> = {}): ServedMailDomain => ({
  name: 'one.test',
  isSuspended: false,
  mailboxes: [mailbox('alice'), mailbox('bob'), mailbox('carol', { mayLogIn: false })],
  aliases: [
    {
      localPart: 'sales',
      targets: ['alice@one.test', 'else+where@other.example'],
      senders: ['alice@one.test', 'carol@one.test']
    },
    { localPart: 'bob', targets: ['alice@one.test'], senders: ['alice@one.test'] },
    { localPart: 'away', targets: ['else@other.example'] }
  ],
  ...more
})
const asText = (served: ServedMailDomain) => renderFragment(renderMapEntries(served))

describe('the tables of Postfix', () => {
  test('of a domain', () => {
    expect(asText(domain())).toMatchInlineSnapshot(`
      "domains	one.test	OK
      mailboxes	alice@one.test	OK
      mailboxes	bob@one.test	OK
      mailboxes	carol@one.test	OK
      aliases	sales@one.test	alice@one.test, else+where@other.example
      aliases	bob@one.test	bob@one.test, alice@one.test
      aliases	away@one.test	else@other.example
      senders	alice@one.test	alice@one.test
      senders	bob@one.test	bob@one.test
      senders	carol@one.test	carol@one.test
      senders	sales@one.test	alice@one.test, carol@one.test
      logins	carol@one.test	REJECT 5.7.1 This mailbox may not send
      reports	postmaster@one.test	one.test@intake.invalid
      origins	@one.test	smtp:
      "
    `)
  })

  test('with a catch-all, each mailbox is also its own alias, or the catch-all would get its mail', () => {
    const served = domain({ aliases: [{ localPart: undefined, targets: ['bob@one.test'], senders: ['bob@one.test'] }] })
    const { aliases, senders } = renderMapEntries(served)
    expect(Object.fromEntries(aliases)).toEqual({
      'alice@one.test': 'alice@one.test',
      'bob@one.test': 'bob@one.test',
      'carol@one.test': 'carol@one.test',
      '@one.test': 'bob@one.test'
    })
    // The recipient of the catch-all may send as any address without a mailbox.
    expect(senders.get('@one.test')).toBe('bob@one.test')
    expect(senders.get('alice@one.test')).toBe('alice@one.test')
  })

  test('suspended account: incoming mail is deferred, and sending is rejected', () => {
    const { logins, recipients, transports } = renderMapEntries(domain({ isSuspended: true }))
    expect(recipients.get('one.test')).toMatch(/^450 4\.2\.1 /)
    expect(transports.get('one.test')).toMatch(/^retry:4\.2\.1 /)
    expect([...logins.keys()]).toEqual(['alice@one.test', 'bob@one.test', 'carol@one.test'])
  })

  test('an alias without a target is none', () => {
    expect(renderMapEntries(domain({ aliases: [{ localPart: 'x', targets: [] }] })).aliases.size).toBe(0)
  })

  test('what was put is read back', () => {
    const entries = renderMapEntries(domain({ isSuspended: true }))
    expect(parseFragment(renderFragment(entries))).toEqual(entries)
    expect(mapNames.every((map) => parseFragment('no fragment\nx\ty')[map].size === 0)).toBe(true)
  })

  test.each<[string, Partial<ServedMailDomain>]>([
    ['a domain in capitals', { name: 'One.test' }],
    ['a domain with a line feed', { name: 'one.test\nother.test' }],
    ['a name without a dot', { name: 'localhost' }],
    ['a domain that is a path', { name: '../one.test' }],
    ['a mailbox with a tab', { mailboxes: [mailbox('a\tb')] }],
    ['a mailbox with a detail', { mailboxes: [mailbox('a+b')] }],
    ['a mailbox that is a path', { mailboxes: [mailbox('../a')] }],
    ['a mailbox of dots', { mailboxes: [mailbox('..')] }],
    ['no mailbox', { mailboxes: [mailbox('')] }],
    ['an empty alias', { aliases: [{ localPart: '', targets: ['a@b.test'] }] }],
    ['a target with a second one', { aliases: [{ localPart: 'a', targets: ['a@b.test, c@d.test'] }] }],
    ['a target with a line feed', { aliases: [{ localPart: 'a', targets: ['a@b.test\n@one.test\tx@y.test'] }] }],
    ['a program as target', { aliases: [{ localPart: 'a', targets: ['|/bin/sh@one.test'] }] }],
    ['a file as target', { aliases: [{ localPart: 'a', targets: ['/etc/passwd@one.test'] }] }],
    ['a list as target', { aliases: [{ localPart: 'a', targets: [':include:/etc/passwd'] }] }],
    ['a target with two @', { aliases: [{ localPart: 'a', targets: ['a@b@one.test'] }] }],
    ['a sender with a line feed', { aliases: [{ localPart: 'a', targets: ['a@b.test'], senders: ['a@b.test\nx'] }] }],
    ['a target of an option', { aliases: [{ localPart: 'a', targets: ['-f@one.test'] }] }]
  ])('refuse %s', (_, change) => {
    expect(() => renderMapEntries(domain(change))).toThrow(TypeError)
  })
})

describe('the file of Dovecot', () => {
  test('of a domain', () => {
    expect(renderDovecotUsers(domain())).toMatchInlineSnapshot(`
      "alice@one.test:{ARGON2ID}$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo::::::userdb_quota_rule=*:storage=500M:messages=128000 userdb_quota_storage_size=500M userdb_quota_message_count=128000
      bob@one.test:{ARGON2ID}$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo::::::userdb_quota_rule=*:storage=500M:messages=128000 userdb_quota_storage_size=500M userdb_quota_message_count=128000
      carol@one.test:{CRYPT}*::::::userdb_quota_rule=*:storage=500M:messages=128000 userdb_quota_storage_size=500M userdb_quota_message_count=128000
      "
    `)
  })

  test('mailboxes of a suspended account cannot log in', () => {
    expect(renderDovecotUsers(domain({ isSuspended: true }))).not.toContain('argon2')
    expect(renderDovecotUsers(domain({ isSuspended: true }))).toMatch(/^alice@one\.test:\{CRYPT\}\*:/)
  })

  test.each<[string, Partial<ServedMailbox>]>([
    ['a password in clear', { passwordHash: 'secret' }],
    ['a hash with a colon', { passwordHash: `${passwordHash}:0:0` }],
    ['a hash with a line feed', { passwordHash: `${passwordHash}\nroot@one.test:{PLAIN}x` }],
    ['a hash of another kind', { passwordHash: passwordHash.replace('argon2id', 'argon2i') }],
    ['a hash that takes more memory than it has', { passwordHash: passwordHash.replace('19456', '262145') }],
    ['no quota, which would be none', { quotaMb: 0 }],
    ['a quota with a fraction', { quotaMb: 0.5 }],
    ['a local part with a colon', { localPart: 'a:b' }]
  ])('refuses %s', (_, change) => {
    expect(() => renderDovecotUsers(domain({ mailboxes: [mailbox('a', change)] }))).toThrow(TypeError)
  })
})
