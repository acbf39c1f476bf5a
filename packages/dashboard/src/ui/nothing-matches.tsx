import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useMessages } from '../i18n/i18n.tsx'
import { EmptyState } from './states.tsx'
import { uiMessages } from './ui.messages.ts'

const all = () => ({})

interface NothingMatchesProps {
  hint?: string
  filters?: readonly (string | undefined | false)[]
}

export function NothingMatches({ hint, filters = [] }: NothingMatchesProps) {
  const t = useMessages(uiMessages)
  const { q } = useSearch({ strict: false })
  const criteria = [q !== undefined && t('quoted', { text: q }), ...filters].filter((each) => typeof each === 'string')
  const named = criteria.length > 0 && t('search.none.for', { filters: criteria.join(' · ') })
  return (
    <EmptyState
      title={t('search.none')}
      hint={[named, hint].filter((each) => typeof each === 'string').join(' ')}
      icon={<IconSearchOff size={28} stroke={1.5} aria-hidden />}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to="." search={all} replace />}>
          {t('search.clear')}
        </Button>
      }
    />
  )
}
