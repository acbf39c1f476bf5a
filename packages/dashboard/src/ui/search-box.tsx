import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import card from './card.module.css'
import { useSearchText } from './use-search-text.ts'

export function SearchBox({ label, maxLength = 100 }: { label: string; maxLength?: number }) {
  const { q = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  // Follows the URL if it changes elsewhere, such as by “Clear filters”.
  const [known, setKnown] = useState(q)
  const [sent, setSent] = useState(q)
  if (q !== known) {
    setKnown(q)
    if (q !== sent) setText(q)
  }
  const send = useSearchText((typed) => {
    setSent(typed)
    const search = (before: Record<string, unknown>) => ({ ...before, page: undefined, q: typed || undefined })
    void navigate({ to: '.', search, replace: true })
  })
  return (
    <TextInput
      className={card.search!}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={maxLength}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value.trim())
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
    />
  )
}
