import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './databases.module.css'
import { databaseMessages } from './databases.messages.ts'
import { linkDatabase, projectDatabasesQuery } from './databases.queries.ts'

interface LinkDatabaseProps {
  projectId: string
  /** Another linked database sets DATABASE_URL. */
  hasVariables: boolean
}

export function LinkDatabase({ projectId, hasVariables }: LinkDatabaseProps) {
  const t = useMessages(databaseMessages)
  const { data: { databases } = { databases: [] } } = useQuery(projectDatabasesQuery('none'))
  const [chosen, setChosen] = useState('')
  const [isInjected, setInjected] = useState(!hasVariables)
  const database = databases.find(({ id }) => id === chosen) ?? databases[0]
  const link = useAction({
    run: ({ id, autoInjectEnv }: { id: string; name: string; autoInjectEnv: boolean }) =>
      linkDatabase(id, { projectId, autoInjectEnv }),
    invalidates: [['databases']],
    done: (_result, { name }) => t('linked', { name })
  })
  if (!database) return null
  return (
    <Section title={t('link')} hint={t('link.hint')}>
      <div className={classes.link}>
        <NativeSelect
          className={classes.choice!}
          label={t('column.name')}
          value={database.id}
          data={databases.map(({ id, name, type }) => ({ value: id, label: `${name} (${t(`engine.${type}`)})` }))}
          onChange={({ target }) => setChosen(target.value)}
        />
        <Button
          variant="default"
          loading={link.isPending}
          onClick={() => link.start({ ...database, autoInjectEnv: isInjected && !hasVariables })}
        >
          {t('link.submit')}
        </Button>
      </div>
      <Checkbox
        mt="sm"
        label={t('variables')}
        description={t(hasVariables ? 'variables.taken' : 'variables.hint')}
        checked={isInjected && !hasVariables}
        disabled={hasVariables}
        onChange={({ target }) => setInjected(target.checked)}
      />
    </Section>
  )
}
