import { AuditAction } from '@panel/contract/audit'
import { expect, test } from 'vitest'
import { kindOf, targetName, targetPage } from './audit-target.ts'

const entry = {
  id: 1,
  action: 'project.created',
  actorId: 'me',
  targetId: 'one',
  ip: null,
  userAgent: null,
  metadata: { name: 'shop' },
  createdAt: '2026-01-31T00:00:00Z'
}

test('every action has a target with a page, except these', () => {
  const without = AuditAction.options.filter((action) => kindOf(action) === undefined)
  const nouns = new Set(without.map((action) => action.split('.')[0]))
  expect([...nouns].sort()).toEqual(
    ['backup_schedule', 'backup_target', 'database', 'device', 'domain', 'env_group', 'env_var', 'firewall', 'image_registry', 'machine', 'mail_alias', 'mail_queue', 'mailbox', 'panel', 'project', 'run', 'scheduled_job', 'server_disk', 'settings', 'sftp', 'token', 'uptime_check', 'user', 'volume'] // oxfmt-ignore
  )
  expect(without.filter((action) => /^(project|domain|database|user)\./.test(action))).toEqual([
    'user.deleted',
    'project.deleted',
    'domain.deleted',
    'database.deleted'
  ])
})

test('links to own resources and existing accounts, not to resources of others', () => {
  expect(targetPage(entry, 'me')).toEqual({ to: '/projects/$projectId', params: { projectId: 'one' } })
  expect(targetPage(entry, 'another')).toBeUndefined()
  expect(targetPage({ ...entry, action: 'project.deleted' }, 'me')).toBeUndefined()
  expect(targetPage({ ...entry, action: 'env_var.set', metadata: { ofGroup: true } }, 'me')).toEqual({
    to: '/account/variable-groups/$groupId',
    params: { groupId: 'one' }
  })
  const account = { ...entry, action: 'user.suspended', actorId: 'another' }
  expect(targetPage({ ...account, targetEmail: 'ann@example.com' }, 'me')).toMatchObject({
    to: '/server/users/$userId'
  })
  expect(targetPage({ ...account, targetEmail: null }, 'me')).toBeUndefined()
})

test('shows the name of the target, else its id', () => {
  expect(targetName(entry)).toBe('shop')
  expect(targetName({ ...entry, metadata: { name: { before: 'a', after: 'b' }, hostname: 'a.example' } })).toBe(
    'a.example'
  )
  expect(targetName({ ...entry, metadata: {} })).toBe('one')
  expect(targetName({ ...entry, targetEmail: 'ann@example.com' })).toBe('ann@example.com')
})
