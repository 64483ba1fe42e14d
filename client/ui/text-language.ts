/** Good enough to choose a font and a voice: mostly Han → Chinese, any Latin → English, else unknown. */
export function guessLanguage(text: string): 'zh-CN' | 'en' | null {
  const sample = text.slice(0, 2000);
  const han = (sample.match(/\p{Script=Han}/gu) ?? []).length;
  const latin = (sample.match(/\p{Script=Latin}+/gu) ?? []).length;
  if (han === 0 && latin === 0) return null;
  return han >= latin ? 'zh-CN' : 'en';
}
