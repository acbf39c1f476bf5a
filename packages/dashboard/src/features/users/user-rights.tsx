import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { userMessages } from './users.messages.ts'
import { type Account, type Role, roles } from './users.queries.ts'

type Permission = Account['permissions'][number]
const permissions = [
  'canManageDns',
  'canManageFirewall',
  'canManageBackups',
  'canCreateSubAccounts'
] as const satisfies readonly Permission[]

export function UserRights({ user }: { user: Account }) {
  const t = useMessages(userMessages)
  const path = { path: { id: user.id } }
  const [role, setRole] = useState<Role>(user.role)
  const [granted, setGranted] = useState<ReadonlySet<Permission>>(new Set(user.permissions))
  const invalidates = [['users'], ['me']]
  const changeRole = useAction({
    run: () => data(api.PATCH('/api/users/{id}/role', { params: path, body: { role } })),
    invalidates,
    done: () => t('saved')
  })
  const grant = useAction({
    run: () => data(api.PATCH('/api/users/{id}/permissions', { params: path, body: { permissions: [...granted] } })),
    invalidates,
    done: () => t('saved')
  })
  const toggle = (permission: Permission, isOn: boolean) =>
    setGranted(new Set(isOn ? [...granted, permission] : [...granted].filter((each) => each !== permission)))
  return (
    <Section title={t('rights')} hint={t('rights.hint')}>
      <Stack gap="lg" className={formClasses.form!}>
        <Stack gap="sm">
          <NativeSelect
            label={t('role')}
            description={t(`role.${role}.hint`)}
            data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
            value={role}
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          />
          <div>
            <Button
              variant="default"
              disabled={role === user.role}
              loading={changeRole.isPending}
              onClick={() => changeRole.start()}
            >
              {t('role.change')}
            </Button>
          </div>
        </Stack>
        <Stack gap="sm" role="group" aria-label={t('permissions')}>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              label={t(`permission.${permission}`)}
              checked={granted.has(permission)}
              onChange={({ currentTarget }) => toggle(permission, currentTarget.checked)}
            />
          ))}
          <div>
            <Button variant="default" loading={grant.isPending} onClick={() => grant.start()}>
              {t('permissions.save')}
            </Button>
          </div>
        </Stack>
      </Stack>
    </Section>
  )
}
