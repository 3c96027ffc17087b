// Shows the OpenAPI document of this very server.
"use strict";
SwaggerUIBundle({
  url: document.body.dataset.openapi,
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  // Nothing of it is sent to a validator elsewhere.
  validatorUrl: null,
});
