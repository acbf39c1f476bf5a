import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ChangeSettings } from '@panel/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useSentenceText } from '../../ui/sentence-text.tsx'
import { useAction } from '../../ui/use-action.ts'
import { settingsMessages, settingWords } from './settings.messages.ts'
import { changeSettings, type Setting, settingsQuery } from './settings.queries.ts'

const isSwitch = ({ value, startValue }: Setting) =>
  [value, startValue].some((text) => text === 'true' || text === 'false')

/** Changes one setting, or removes the change. */
export function ChangeSetting({ setting, onClose }: { setting: Setting; onClose(): void }) {
  const t = useMessages(settingsMessages)
  const client = useQueryClient()
  const { name, title, about, isSecret, value, startValue, source, unit, counts, countsFrom } = setting
  const say = useSentenceText(settingWords)
  const saved = (settings: Schema<'ServerSettings'>) => {
    client.setQueryData(settingsQuery.queryKey, settings)
    notifications.show({ message: t('saved', { title }), role: 'status' })
    onClose()
  }
  const contractForm = useContractForm({
    schema: ChangeSettings,
    initialValues: { variables: { [name]: value ?? '' } },
    send: changeSettings,
    onSaved: saved
  })
  const { form, isPending } = contractForm
  const takeBack = useAction({
    run: () => changeSettings({ variables: { [name]: null } }),
    invalidates: [],
    onDone: saved
  })
  const field = `variables.${name}`
  const hint = [
    about.replace(/\.$/, ''),
    unit !== null && t('unit', { unit: say([{ code: unit }]) ?? unit }),
    countsFrom !== null && t('counts', { when: say([{ code: countsFrom }]) ?? counts ?? '' })
  ]
  const description = hint.filter(Boolean).join('. ')
  return (
    <FormDialog of={contractForm} title={title} onClose={onClose}>
      {isSwitch(setting) ? (
        <NativeSelect
          label={t('value')}
          description={description}
          data={[
            { value: 'true', label: t('true') },
            { value: 'false', label: t('false') }
          ]}
          {...form.getInputProps(field)}
        />
      ) : (
        <TextInput
          label={t('value')}
          description={description}
          type={isSecret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps(field)}
        />
      )}
      <Group justify="flex-end">
        {source === 'changed' && (
          <Button variant="default" loading={takeBack.isPending} onClick={() => takeBack.start()}>
            {isSecret || startValue === null || startValue === ''
              ? t('takeBack.nothing')
              : t('takeBack', { value: startValue })}
          </Button>
        )}
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </Group>
    </FormDialog>
  )
}
