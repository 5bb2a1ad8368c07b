import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { de } from './de';
import { en, type MessageName } from './en';

type WithoutPlural<K> = K extends `${infer Stem}_one` ? Stem : K extends `${infer Stem}_other` ? Stem : K;

/** A key of the catalogue; plural forms are chosen by the value `count`. */
export type MessageKey = WithoutPlural<MessageName>;
export type MessageValues = Readonly<Record<string, string | number>>;
export type Text = (key: MessageKey, values?: MessageValues) => string;

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language of the catalogue for a setting: `system` follows the window's own. */
export function languageFor(setting: string, systemLanguage: string): Language {
  const wanted = setting === 'system' || setting === '' ? systemLanguage : setting;
  return languages.find((language) => wanted.toLowerCase().startsWith(language)) ?? 'en';
}

export async function startMessages(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    keySeparator: false,
    nsSeparator: false,
    // React escapes what it renders; escaping twice would show entities.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

export function hasMessage(key: string): key is MessageKey {
  return key in en || `${key}_other` in en;
}

/** The catalogue in the person's language. */
export function useText(): { readonly t: Text; readonly language: Language } {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => ({
      t: (key, values) => t(key, { ...values }) as string,
      language: languageFor(i18n.language, 'en'),
    }),
    [t, i18n.language],
  );
}

const slotMark = '\u0001';

/**
 * A message whose placeholders are elements. Slots are put in place of `{{name}}` after translation, so that a
 * language may order them as it needs and no value is ever read as markup.
 */
export function RichText(props: {
  readonly message: MessageKey;
  readonly slots: Readonly<Record<string, ReactNode>>;
  readonly values?: MessageValues;
}): ReactNode {
  const { t } = useText();
  const marks = Object.fromEntries(
    Object.keys(props.slots).map((name) => [name, `${slotMark}${name}${slotMark}`]),
  );
  const pieces = t(props.message, { ...props.values, ...marks }).split(slotMark);
  return pieces.map((piece, index) =>
    createElement(Fragment, { key: index }, index % 2 === 1 ? props.slots[piece] : piece),
  );
}
