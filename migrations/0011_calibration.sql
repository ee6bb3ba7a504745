-- Up Migration

-- A model can be calibrated anew: its newest generation counts.
alter table semantic_models drop constraint semantic_models_model_key;
create index semantic_models_newest on semantic_models (model, generation);
