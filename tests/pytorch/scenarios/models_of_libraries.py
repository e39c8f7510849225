"""Models of transformers, torchvision and PEFT, by their configurations: nothing is fetched."""

import torch
from torch.utils.checkpoint import checkpoint

CLASSES = 1000
WORDS, TEXTS, LENGTH = 8192, 4, 256
IMAGES, PIXELS = 8, 224


def _words():
    return torch.randint(WORDS, (TEXTS, LENGTH))


def _checkpoint_each(model, kind):
    """Modules of that kind keep only their inputs."""
    for module in model.modules():
        if isinstance(module, kind):
            module.forward = _recomputed(module.forward)


def _recomputed(forward):
    return lambda *given, **named: checkpoint(forward, *given, use_reentrant=False, **named)


def _of_transformers(options, model):
    from transformers import masking_utils
    # It reads from the device whether several texts follow each other in a row; simulated kernels compute no answer.
    masking_utils.find_packed_sequence_indices = lambda position_ids: None
    if options.checkpoint:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return model


def _attention(options):
    return "eager" if options.attention == "eager" else "sdpa"


def gpt2(options):
    from transformers import GPT2Config, GPT2LMHeadModel
    config = GPT2Config(vocab_size=WORDS, n_layer=4, n_embd=512, n_head=8, bos_token_id=0, eos_token_id=0, attn_implementation=_attention(options))
    return _of_transformers(options, GPT2LMHeadModel(config)), _words(), WORDS


def _llama(options):
    from transformers import LlamaConfig, LlamaForCausalLM
    config = LlamaConfig(vocab_size=WORDS, num_hidden_layers=4, hidden_size=512, intermediate_size=1408,
                         num_attention_heads=8, num_key_value_heads=4, attn_implementation=_attention(options))
    return LlamaForCausalLM(config)


def llama(options):
    return _of_transformers(options, _llama(options)), _words(), WORDS


def lora(options):
    from peft import LoraConfig, get_peft_model
    model = get_peft_model(_llama(options), LoraConfig(r=8, target_modules="all-linear", task_type="CAUSAL_LM"))
    model.enable_input_require_grads()  # as where activations are checkpointed: one more gradient of the first layer
    return _of_transformers(options, model), _words(), WORDS


def mixtral(options):
    """Its experts are one grouped product where the weights are bfloat16."""
    from transformers import MixtralConfig, MixtralForCausalLM
    config = MixtralConfig(vocab_size=WORDS, num_hidden_layers=4, hidden_size=512, intermediate_size=1024,
                           num_attention_heads=8, num_key_value_heads=4, num_local_experts=4,
                           attn_implementation=_attention(options))
    return _of_transformers(options, MixtralForCausalLM(config).to(torch.bfloat16)), _words(), WORDS


def bert(options):
    from transformers import BertConfig, BertForMaskedLM
    config = BertConfig(vocab_size=WORDS, num_hidden_layers=4, hidden_size=512, num_attention_heads=8,
                        intermediate_size=2048, attn_implementation=_attention(options))
    return _of_transformers(options, BertForMaskedLM(config)), _words(), WORDS


def t5(options):
    from transformers import T5Config, T5ForConditionalGeneration
    config = T5Config(vocab_size=WORDS, num_layers=3, d_model=512, d_kv=64, num_heads=8, d_ff=2048,
                      decoder_start_token_id=0)
    model = _of_transformers(options, T5ForConditionalGeneration(config))
    return model, _words(), WORDS


def _of_images(model):
    return model, torch.randn(IMAGES, 3, PIXELS, PIXELS), CLASSES


def resnet50(options):
    from torchvision.models import resnet
    model = resnet.resnet50()
    if options.checkpoint:
        _checkpoint_each(model, resnet.Bottleneck)
    return _of_images(model)


def convnext(options):
    from torchvision.models import convnext as of
    model = of.convnext_tiny()
    if options.checkpoint:
        _checkpoint_each(model, of.CNBlock)
    return _of_images(model)


def vit(options):
    from torchvision.models import vision_transformer
    model = vision_transformer.VisionTransformer(PIXELS, 16, num_layers=4, num_heads=8, hidden_dim=512, mlp_dim=2048)
    if options.checkpoint:
        _checkpoint_each(model, vision_transformer.EncoderBlock)
    return _of_images(model)
