import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['component/', 'dist/', 'src/generated/', 'src/generated.new/']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      // The compiler knows what is defined where.
      'no-undef': 'off',
      'max-lines': ['error', 500],
      'max-lines-per-function': ['error', { max: 40, skipComments: true }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['test/**/*.test.ts'],
    // A `describe` holds many tests.
    rules: { 'max-lines-per-function': 'off' },
  },
);
