import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UpdateProject } from '@panel/contract/projects'
import type { z } from 'zod'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalText } from '../../ui/form/optional-text.ts'
import { argumentLines, readArgumentLines } from './build-arguments.ts'
import { projectMessages } from './projects.messages.ts'

type Type = Schema<'Project'>['type']

interface BuildFieldsProps {
  form: UseFormReturnType<z.input<typeof UpdateProject>>
  type: Type
}

type TextField =
  | 'rootDirectory'
  | 'dockerfilePath'
  | 'dockerContext'
  | 'dockerTarget'
  | 'installCmd'
  | 'outputDirectory'

const textFields: readonly { name: TextField; example: string; types: readonly Type[] }[] = [
  { name: 'rootDirectory', example: 'apps/web', types: ['NODEJS', 'PYTHON', 'PHP', 'STATIC', 'DOCKERFILE'] },
  { name: 'dockerfilePath', example: 'Dockerfile', types: ['DOCKERFILE'] },
  { name: 'dockerContext', example: '.', types: ['DOCKERFILE'] },
  { name: 'dockerTarget', example: 'production', types: ['DOCKERFILE'] },
  { name: 'installCmd', example: 'npm ci --legacy-peer-deps', types: ['NODEJS', 'PYTHON', 'PHP', 'STATIC'] },
  { name: 'outputDirectory', example: 'dist', types: ['NODEJS', 'PHP', 'STATIC'] }
]

/** Where the project lies in its repository and how it is built, as far as its type has a choice. */
export function BuildFields({ form, type }: BuildFieldsProps) {
  const t = useMessages(projectMessages)
  return (
    <>
      {textFields
        .filter(({ types }) => types.includes(type))
        .map(({ name, example }) => (
          <TextInput
            key={name}
            label={t(`edit.${name}`)}
            description={t(`edit.${name}.hint`)}
            placeholder={example}
            {...optionalText(form.getInputProps(name))}
          />
        ))}
      {type === 'DOCKERFILE' && <BuildArguments {...form.getInputProps('buildArgs')} />}
    </>
  )
}

type InputProps = ReturnType<BuildFieldsProps['form']['getInputProps']>

function BuildArguments({ defaultValue, onChange, ...props }: InputProps) {
  const t = useMessages(projectMessages)
  const take = onChange as (values: Record<string, string> | null) => void
  return (
    <Textarea
      label={t('edit.buildArgs')}
      description={t('edit.buildArgs.hint')}
      placeholder="APP_VERSION=1.4.0"
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      dir="ltr"
      {...props}
      defaultValue={argumentLines(defaultValue as Record<string, string> | null)}
      onChange={({ currentTarget }) => take(readArgumentLines(currentTarget.value))}
    />
  )
}
