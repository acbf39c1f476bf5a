import { Button, Checkbox, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data, hasStatus } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { type Area, areas } from './user-area.ts'
import { userMessages } from './users.messages.ts'
import type { Account } from './users.queries.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

interface UserDangerProps {
  area: Area
  user: Account
  isAdmin: boolean
}

export function UserDanger({ area, user, isAdmin }: UserDangerProps) {
  const t = useMessages(userMessages)
  const [isConfirming, setConfirming] = useState(false)
  return (
    <Section
      isDanger
      title={t('delete')}
      hint={t('delete.hint')}
      actions={
        <Button color="red" variant="light" onClick={() => setConfirming(true)}>
          {t('delete')}
        </Button>
      }
    >
      {isConfirming && (
        <Suspense fallback={null}>
          <DeleteUser area={area} user={user} isAdmin={isAdmin} onClose={() => setConfirming(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function DeleteUser({ area, user, isAdmin, onClose }: UserDangerProps & { onClose(): void }) {
  const t = useMessages(userMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [withAll, setWithAll] = useState(false)
  const remove = useOnce({
    mutationFn: () =>
      data(
        api.DELETE('/api/users/{id}', {
          params: { path: { id: user.id }, query: withAll ? { projects: 'delete' } : {} }
        })
      ),
    onSuccess: async () => {
      notifications.show({ message: t('deleted', { email: user.email }), role: 'status' })
      await navigate({ to: areas[area].list })
      await client.invalidateQueries({ queryKey: ['users', 'list'] })
    }
  })
  const hasConflict = hasStatus(remove.error, 409)
  return (
    <ConfirmName
      title={t('delete')}
      name={user.email}
      action={t('delete')}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <span>
          {t('delete.sure')} <Foreign>{user.name}</Foreign>
        </span>
        <Checkbox
          label={t('delete.withAll')}
          checked={withAll}
          onChange={({ currentTarget }) => setWithAll(currentTarget.checked)}
        />
        {remove.error && (
          <Notice tone="bad">
            {hasConflict ? t(withAll ? 'delete.hasAccounts' : 'delete.notEmpty') : remove.error.message}{' '}
            {hasConflict && isAdmin && (
              <Link to="/server/users" search={{ below: user.id }}>
                {t('below')}
              </Link>
            )}
          </Notice>
        )}
      </Stack>
    </ConfirmName>
  )
}
