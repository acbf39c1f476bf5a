import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { userQuery, usersQuery } from '../users/users.queries.ts'
import { auditMessages } from './audit.messages.ts'

interface AccountFilterProps {
  label: string
  id: string | undefined
  onApply(id: string | undefined): void
}

export function AccountFilter({ label, id, onApply }: AccountFilterProps) {
  const t = useMessages(auditMessages)
  const client = useQueryClient()
  const [failed, setFailed] = useState<{ typed: string; why: string }>()
  const { data: account } = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined, retry: false })
  const shown = account?.email ?? id ?? ''
  const apply = async (typed: string) => {
    const text = typed.trim()
    setFailed(undefined)
    if (text === shown) return
    if (!text.includes('@')) return onApply(text || undefined)
    try {
      const { users } = await client.fetchQuery(usersQuery({ q: text }))
      const found = users.find(({ email }) => email.toLowerCase() === text.toLowerCase())
      if (found) onApply(found.id)
      else setFailed({ typed: text, why: t('account.unknown') })
    } catch (error) {
      setFailed({ typed: text, why: (error as Error).message })
    }
  }
  return (
    <TextInput
      key={shown}
      label={label}
      placeholder={t('account.placeholder')}
      defaultValue={failed?.typed ?? shown}
      maxLength={254}
      autoComplete="off"
      spellCheck={false}
      error={failed?.why}
      onBlur={({ currentTarget }) => void apply(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') void apply(currentTarget.value)
      }}
    />
  )
}
