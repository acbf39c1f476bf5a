import { Button, Checkbox, Modal, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CreateUser } from '@panel/contract/accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { authConfigQuery } from '../auth/auth-config.queries.ts'
import { meQuery } from '../auth/me.queries.ts'
import { type Area, areas } from './user-area.ts'
import { QuotaFields } from './quota-fields.tsx'
import { userMessages } from './users.messages.ts'
import { roles } from './users.queries.ts'

const quotaFields = ['maxProjects', 'maxDomains', 'maxDatabases', 'maxMailboxes'] as const

interface AddUserProps {
  area: Area
  onClose(): void
}

export function AddUser({ area, onClose }: AddUserProps) {
  const t = useMessages(userMessages)
  const ui = useMessages(uiMessages)
  const [isDirty, setDirty] = useState(false)
  const { data: config, isError } = useQuery(authConfigQuery)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`${area}.add`)}
      closeOnClickOutside={!isDirty}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {config || isError ? (
        <div onChange={() => setDirty(true)}>
          <UserForm area={area} mayInvite={config?.sendsMail ?? false} />
        </div>
      ) : (
        <RowsSkeleton rows={4} />
      )}
    </Modal>
  )
}

function UserForm({ area, mayInvite }: { area: Area; mayInvite: boolean }) {
  const t = useMessages(userMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(meQuery)
  const [isInvited, setInvited] = useState(mayInvite)
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateUser,
    initialValues: {
      name: '',
      email: '',
      role: 'USER',
      maxProjects: null,
      maxDomains: null,
      maxDatabases: null,
      maxMailboxes: null,
      ...(!mayInvite && { password: '' })
    },
    send: ({ password, ...body }) => {
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as typeof body
      return data(api.POST('/api/users', { body: { ...given, ...(!isInvited && password && { password }) } }))
    },
    onSaved: async ({ id, email }) => {
      if (isInvited) notifications.show({ message: t('invited', { email }), role: 'status' })
      await client.invalidateQueries({ queryKey: ['users'] })
      await navigate({ to: areas[area].one, params: { userId: id } })
    },
    fieldOfCode: { EMAIL_EXISTS: 'email' }
  })
  const invite = (isOn: boolean) => {
    setInvited(isOn)
    form.setFieldValue('password', isOn ? undefined : '')
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput label={t('name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        <TextInput label={t('email')} type="email" autoComplete="off" {...form.getInputProps('email')} />
        {mayInvite && (
          <Checkbox
            label={t('invite')}
            description={t('invite.hint')}
            checked={isInvited}
            onChange={({ currentTarget }) => invite(currentTarget.checked)}
          />
        )}
        {!isInvited && (
          <PasswordInput
            label={t('password')}
            description={t('password.hint')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
            {...form.getInputProps('password')}
          />
        )}
        {me?.role === 'ADMIN' && (
          <NativeSelect
            label={t('role')}
            data={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
            {...form.getInputProps('role')}
          />
        )}
        <QuotaFields names={quotaFields} propsOf={(name) => form.getInputProps(name)} placeholder={t('asServer')} />
        <Button type="submit" loading={isPending}>
          {t(`${area}.add`)}
        </Button>
      </Stack>
    </form>
  )
}
