import { Button, Stack, Textarea } from '@mantine/core'
import { ImportEnv } from '@panel/contract/env-vars'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { variableMessages } from './variables.messages.ts'
import { variablesKey } from './variables.queries.ts'

type Imported = Awaited<ReturnType<typeof importVariables>>

const importVariables = (id: string, body: { content: string; overwrite: boolean }) =>
  data(api.POST('/api/projects/{id}/env/import', { params: { path: { id } }, body }))

export function PasteVariables({ projectId }: { projectId: string }) {
  const t = useMessages(variableMessages)
  const client = useQueryClient()
  const [imported, setImported] = useState<Imported>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: ImportEnv,
    initialValues: { content: '', overwrite: true },
    send: (body) => importVariables(projectId, body),
    onSaved: (result) => {
      setImported(result)
      form.reset()
      void client.invalidateQueries({ queryKey: variablesKey(projectId) })
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {imported && <Outcome imported={imported} />}
        <Textarea
          label={t('paste.label')}
          rows={6}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          spellCheck={false}
          {...form.getInputProps('content')}
          key={form.key('content')}
        />
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {t('paste.submit')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function Outcome({ imported: { count, skipped } }: { imported: Pick<Schema<'EnvVarsImported'>, 'count' | 'skipped'> }) {
  const t = useMessages(variableMessages)
  return (
    <>
      <Notice tone="ok">{t('pasted', { count })}</Notice>
      {skipped.map(({ line, reason }) => (
        <Notice key={line} tone="warn">
          {t('skipped', { line, reason })}
        </Notice>
      ))}
    </>
  )
}
