import { DEFAULT_SPEC_SETTINGS, type SpecSettings } from '#contracts/research/spec-settings.ts';
import type { BudgetConfig } from './config.ts';

/** What the configuration settles for all tasks. */
export const specSettingsOf = ({ budget }: { readonly budget: BudgetConfig }): SpecSettings => ({
  ...DEFAULT_SPEC_SETTINGS,
  ...budget.cap,
  unknown_price_policy: budget.unknownPrice,
});
