/** The usual rules, and what old phones do not know. */
export default {
  extends: ["stylelint-config-standard"],
  rules: {
    "alpha-value-notation": null,
    "color-function-notation": null,
    "color-function-alias-notation": null,
    "custom-property-empty-line-before": null,
    "declaration-empty-line-before": null,
    "media-feature-range-notation": "prefix",
    "no-descending-specificity": null,
    // Safari knows them by these names only
    "property-no-vendor-prefix": [true, { ignoreProperties: ["user-select", "text-size-adjust"] }],
    "rule-empty-line-before": null,
    "at-rule-empty-line-before": null,
    "comment-empty-line-before": null,
    "declaration-block-single-line-max-declarations": null,
    "max-nesting-depth": 0,
    "selector-pseudo-class-disallowed-list": ["has"],
    "at-rule-disallowed-list": ["import", "layer", "container"],
    "function-disallowed-list": ["oklch", "color-mix"],
    "color-hex-length": null,
  },
  // the page for developers is not for old phones
  overrides: [{ files: ["**/docs.css"], rules: { "selector-pseudo-class-disallowed-list": null } }],
};
