import { Button, Group, NativeSelect, Textarea } from '@mantine/core'
import { ImportZone as Contract } from '@panel/contract/dns-records'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { recordsKey } from './dns-records.queries.ts'
import { ImportPreview } from './import-preview.tsx'
import { templateNames, templateOf } from './templates.ts'

export function ImportZone({ domain, onClose }: { domain: Schema<'Domain'>; onClose(): void }) {
  const t = useMessages(dnsRecordMessages)
  const client = useQueryClient()
  const { id: domainId, hostname } = domain
  const [result, setResult] = useState<Schema<'ImportResult'>>()
  const preview = result?.preview ?? undefined
  const contractForm = useContractForm({
    schema: Contract,
    initialValues: { zoneContent: '', strategy: 'skip' as const },
    send: (body) =>
      data(
        api.POST('/api/domains/{id}/dns/import', {
          params: { path: { id: domainId } },
          body: { ...body, dryRun: preview === undefined }
        })
      ),
    onSaved: (answer) => {
      setResult(answer)
      if (answer.preview === null) void client.invalidateQueries({ queryKey: recordsKey(domainId) })
    }
  })
  const { form, isPending } = contractForm
  return (
    <FormDialog of={contractForm} size="lg" title={t('import')} onClose={onClose}>
      {result?.preview === null && <Notice tone="ok">{t('imported', { count: result.importedCount })}</Notice>}
      {preview ? (
        <>
          <ImportPreview preview={preview} />
          <Group>
            <Button type="submit" loading={isPending} disabled={preview.counts.added + preview.counts.removed === 0}>
              {t('import.now')}
            </Button>
            <Button variant="default" disabled={isPending} onClick={() => setResult(undefined)}>
              {t('import.back')}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <NativeSelect
            label={t('template')}
            description={t('template.hint')}
            data={[
              { value: '', label: t('template.none') },
              ...templateNames.map((value) => ({ value, label: t(`template.${value}`) }))
            ]}
            onChange={({ currentTarget: { value } }) => {
              const name = templateNames.find((each) => each === value)
              form.setFieldValue('zoneContent', name === undefined ? '' : templateOf(name, hostname))
            }}
          />
          <Textarea
            label={t('zone')}
            description={t('zone.hint')}
            rows={10}
            spellCheck={false}
            {...form.getInputProps('zoneContent')}
            key={form.key('zoneContent')}
          />
          <NativeSelect
            label={t('strategy')}
            data={[
              { value: 'skip', label: t('strategy.skip') },
              { value: 'replace', label: t('strategy.replace') }
            ]}
            {...form.getInputProps('strategy')}
          />
          <Button type="submit" loading={isPending}>
            {t('import.preview')}
          </Button>
        </>
      )}
    </FormDialog>
  )
}
